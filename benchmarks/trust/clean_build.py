"""Build the timed distributions, and record how they were built.

`python clean_build.py SOURCE WHEELS SOURCES... -- OPTIONS...` builds the wheel of a distribution in
a folder that holds nothing yet, so that no object is older than its source. The receipt beside the
wheel says what the wheel was made from: the SHA-256 of every source and of every compiled file, and
one entry for each unit that was compiled. A unit of C or C++ has its command line, which holds its
macros, and the flags that the compiler recorded in the object file. A unit of Rust has the command
line of rustc, which shows the profile of Cargo.

It needs nothing but Python, since it runs before anything is installed, and pip or the uv that the
variable UV names.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECEIPT = "receipt.json"
CODE = {".c", ".h", ".cpp", ".hpp", ".pyx", ".pxd", ".pxi", ".rs"}
BUILD = {"CMakeLists.txt", "Cargo.toml", "Cargo.lock"}
COMPILED = (".so", ".dylib", ".pyd")
PRODUCTS = {"__pycache__", "build", "target"}
RECORD = "-frecord-gcc-switches"
SECTION = ".GCC.command.line"
WRAPPER = '#!/bin/sh\nprintf "%s\\n" "$*" >> "$0.log"\nexec "$@"\n'
"""Stands before rustc, and writes down what Cargo calls it with."""

Unit = dict[str, Any]


def files(names: Sequence[str]) -> Iterator[Path]:
    """Yield every file of some folders and files of the tree, except build products."""
    for name in names:
        path = ROOT / name
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            made = file.suffix in COMPILED or PRODUCTS.intersection(file.relative_to(ROOT).parts)
            if file.is_file() and not made:
                yield file


def sha256(data: bytes) -> str:
    """Return the digest in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def sources(names: Sequence[str]) -> dict[str, str]:
    """Return the SHA-256 of every file that decides what is compiled, by its path from the root."""
    return {
        path.relative_to(ROOT).as_posix(): sha256(path.read_bytes())
        for path in files(names)
        if path.suffix in CODE or path.name in BUILD
    }


def native_units(folder: Path) -> Iterator[Unit]:
    """Yield the units that CMake has compiled in a folder."""
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        path = Path(entry["directory"], words[words.index("-o") + 1])
        if path.exists():  # a target that the wheel does not need is not built
            yield {
                "file": path.relative_to(folder).as_posix(),
                "command": entry["command"],
                "record": recorded(path),
                "lto": b".gnu.lto_" in (data := path.read_bytes()) or data[:4] == b"BC\xc0\xde",
            }


def recorded(path: Path) -> str:
    """Return the flags that the compiler wrote into an object file or a library, or nothing."""
    command = ("readelf", "--string-dump", SECTION, str(path))
    if shutil.which(command[0]) is None:
        return ""
    said = subprocess.run(command, capture_output=True, text=True).stdout
    return " ".join(re.findall(r"^ +\[ *\w+\]  (.+)$", said, re.MULTILINE))


def rust_units(log: str) -> Iterator[Unit]:
    """Yield the crates that are linked into the last one, without the crates of build scripts."""
    commands = {}
    for line in log.splitlines():
        if found := re.search(r"--crate-name (\S+) --edition", line):
            suffix = re.search(r"extra-filename=(\S+)", line)  # installed crates have none
            commands[f"{found[1]}{suffix[1] if suffix else ''}"] = line
    wanted = [*commands][-1:]
    seen = set()
    while wanted:
        if (name := wanted.pop()) not in seen and name in commands:
            seen.add(name)
            yield {"file": name, "command": commands[name], "record": "", "lto": False}
            wanted += re.findall(r"--extern \S+?=\S*/lib(\S+)\.r(?:lib|meta)\b", commands[name])


def build(source: str, wheels: Path, names: Sequence[str], options: Sequence[str]) -> None:
    """Build a wheel, and write its receipt beside it."""
    before = sources(names)
    with TemporaryDirectory(prefix="build-") as temporary:
        folder = Path(temporary)
        wrapper, log = folder / "rustc", folder / "rustc.log"
        wrapper.write_text(WRAPPER)
        wrapper.chmod(0o755)
        environment = {
            **os.environ,
            "CFLAGS": f"{os.environ.get('CFLAGS', '')} {RECORD}",
            "CXXFLAGS": f"{os.environ.get('CXXFLAGS', '')} {RECORD}",
            "CARGO_TARGET_DIR": str(folder / "made"),
            "RUSTC_WRAPPER": str(wrapper),
        }
        settings = (
            f"--config-setting=build-dir={folder / 'made'}",
            "--config-setting=cmake.define.CMAKE_EXPORT_COMPILE_COMMANDS=ON",
        )
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", temporary]
        if uv := os.environ.get("UV"):
            command = [uv, "build", "--wheel", "--python", sys.executable, "--out-dir", temporary]
        subprocess.run(
            [*command, *settings, *options, source], cwd=ROOT, env=environment, check=True
        )
        (wheel,) = folder.glob("*.whl")
        units = rust_units(log.read_text()) if log.exists() else native_units(folder / "made")
        with zipfile.ZipFile(wheel) as archive:
            compiled = {
                name: sha256(archive.read(name))
                for name in archive.namelist()
                if name.endswith(COMPILED)
            }
        receipt = {
            "files": compiled,
            "sources": before,
            "units": sorted(units, key=lambda unit: str(unit["file"])),
        }
        if sources(names) != before:
            raise SystemExit(f"the sources of {source} have changed while it was built")
        wheels.mkdir(parents=True, exist_ok=True)
        shutil.move(wheel, wheels / wheel.name)
        (wheels / RECEIPT).write_text(json.dumps(receipt, indent=1), "utf-8")


if __name__ == "__main__":
    cut = sys.argv.index("--")
    build(sys.argv[1], Path(sys.argv[2]), sys.argv[3:cut], sys.argv[cut + 1 :])
