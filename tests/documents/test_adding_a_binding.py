"""docs/adding-a-binding.md is complete: a binding that is added as it says passes the suite."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ffi_cookbook
from support.backends import binding

TESTS = Path(__file__).parents[1]
OLD, NEW = (f"ffi_cookbook.bindings.{name}" for name in ("ctypes", "added"))
SAMPLE = (
    "matmul/test_products.py",
    "matmul/test_errors.py",
    "records/test_index.py",
    "records/test_fixed.py",
    "tokenizer/test_ids.py",
    "patterns/test_scalars.py",
    "patterns/test_arrays.py",
)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), "utf-8")


def run_suite(folder: Path) -> tuple[int, str]:
    """Run a sample of the tests with the new binding, and return the status and the output."""
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-k", "added and not pinned"]
    run = subprocess.run(
        [*command, *SAMPLE],
        cwd=folder / "tests",
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.returncode, run.stdout


@pytest.mark.full
def test_a_binding_added_as_the_page_says(tmp_path: Path) -> None:
    """The new binding is a copy of the nearest one whose glue is Python."""
    nearest = Path(binding("ctypes").__file__ or "").parent
    skipped = shutil.ignore_patterns("__pycache__", "build", "target")
    package = tmp_path / "ffi_cookbook"
    added = package / "bindings" / "added"
    shutil.copytree(Path(str(ffi_cookbook.__file__)).parent, package, ignore=skipped)
    shutil.copytree(nearest, added, ignore=skipped)
    for path in added.rglob("*.py"):
        path.write_text(path.read_text("utf-8").replace(OLD, NEW))
    shutil.copytree(TESTS, tmp_path / "tests", ignore=skipped)
    shutil.copy(TESTS.parent / "pyproject.toml", tmp_path)

    replace(package / "availability.py", '"pyo3", "torch")', '"pyo3", "torch", "added")')
    replace(tmp_path / "tests/support/backends.py", '"pyo3", "torch")', '"pyo3", "torch", "added")')
    status, output = run_suite(tmp_path)
    assert status == 0, output[-3000:]
    assert int(output.split(" passed")[0].split()[-1]) > 100, output

    replace(added / "matmul.py", "return ", "return 2 * ")
    assert run_suite(tmp_path)[0] == 1
