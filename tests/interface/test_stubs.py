"""Type checkers see the signatures of the bindings, and find the mistakes of a user."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from support.backends import binding, needs

A_USER = """\
import numpy as np
import ffi_cookbook
from ffi_cookbook.bindings.pyo3 import matmul
backend, a = ffi_cookbook.load("capi"), np.ones((2, 2))
backend.matmul(a, a, threads=2).sum()
backend.matmul(a, "b")
backend.matmul(a, a, thread=2)
backend.patterns.add_int("1", 2)
matmul(a, [a])
ffi_cookbook.load(1)
"""


@pytest.mark.parametrize("name", ["capi", "cython", "pybind11", "nanobind", "pyo3"])
def test_a_stub_is_installed_with_its_binding(name: str) -> None:
    package = Path(binding(name).__file__ or "").parent
    assert (package / "__init__.pyi").exists()
    assert (package.parents[1] / "py.typed").exists()


def test_the_operators_are_typed() -> None:
    binding("torch")
    torch = Path(import_module("ffi_cookbook_torch").__file__ or "").parent
    assert (torch / "py.typed").exists()


def test_mypy_finds_the_mistakes_of_a_user(tmp_path: Path) -> None:
    needs("mypy")
    binding("capi")
    (tmp_path / "user.py").write_text(A_USER)
    command = [sys.executable, "-P", "-m", "mypy", "--strict", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = [line.split(":")[1] for line in done.stdout.splitlines() if "error:" in line]
    assert found == ["6", "7", "8", "9", "10"], done.stdout + done.stderr
