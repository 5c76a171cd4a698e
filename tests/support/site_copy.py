"""A copy of the installed packages in which a test may change anything."""

from __future__ import annotations

import base64
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ffi_cookbook
from benchmarks.trust import installed
from benchmarks.trust.clean_build import RECEIPT

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
INSTALLED = Path(ffi_cookbook.__file__).parents[1]


class Site:
    """A copy of the packages that comes first on the path, and the environment of its Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wheels = folder / "wheels"
        self.environment = {"PYTHONPATH": str(folder), "COOKBOOK_WHEELS": str(self.wheels)}
        for path in INSTALLED.glob("ffi_cookbook*"):
            shutil.copytree(path, folder / path.name)
        for path in compiled(folder):
            receipt = installed.receipt(path, "capi")
            assert receipt, f"{path} was not built by nox -s bench_tests"
            made = self.wheels / next(iter(receipt["files"].values()))
            made.mkdir(parents=True, exist_ok=True)
            (made / RECEIPT).write_text(json.dumps(receipt))

    def file(self, pattern: str) -> Path:
        """Return the only file whose name matches the pattern."""
        (found,) = self.folder.glob(pattern)
        return found

    def receipts(self, change: Callable[[Any], object]) -> None:
        """Change the receipts of the builds."""
        for path in self.wheels.glob(f"*/{RECEIPT}"):
            receipt = json.loads(path.read_text())
            change(receipt)
            path.write_text(json.dumps(receipt))

    def start(self, code: str) -> None:
        """Make every Python process run this code first."""
        (self.folder / "sitecustomize.py").write_text(code)

    def lie(self, code: str) -> None:
        """Change the capi binding when it is loaded."""
        self.start(
            "import ffi_cookbook, os, signal\n"
            "load = ffi_cookbook.load\n"
            "def lying(name):\n"
            "    binding = load(name)\n"
            f"    if name == 'capi': {code}\n"
            "    return binding\n"
            "ffi_cookbook.load = lying\n"
        )

    def sign(self) -> None:
        """Write the hashes of the files as they are now into every RECORD."""
        for record in self.folder.glob("*.dist-info/RECORD"):
            with record.open(newline="") as file:
                rows = list(csv.reader(file))
            for row in rows:
                path = self.folder / row[0]
                if row[1] and path.exists():
                    digest = hashlib.sha256(path.read_bytes()).digest()
                    row[1] = "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            with record.open("w", newline="") as file:
                csv.writer(file).writerows(rows)

    def check(self, backends: str) -> subprocess.CompletedProcess[str]:
        """Run the benchmark's checks, without timing."""
        options = f"--check --only {backends} --kernel patterns --row add_int,array_in"
        return subprocess.run(
            [sys.executable, str(BENCHMARKS), "run", *options.split()],
            capture_output=True,
            text=True,
            env={**os.environ, **self.environment},
        )


def compiled(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.so") if "ffi_cookbook" in str(path)]
