"""No kernel of any binding accesses a byte outside its memory: see guard_pages.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from support.backends import PLAIN, binding

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no mprotect here")


def check(binding: str, isa: str | None) -> None:
    script = Path(__file__).parent / "guard_pages.py"
    variables = {"PYTHONPATH": str(script.parents[1])} | ({"COOKBOOK_ISA": isa} if isa else {})
    child = subprocess.run(
        [sys.executable, "-P", "-X", "faulthandler", str(script), binding],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert child.returncode == 0, child.stderr[-2000:]
    assert int(child.stdout) > 2000


@pytest.mark.part("index_records")
def test_every_backend(backend: ModuleType) -> None:
    check(backend.__name__, None)


def test_the_kernels_in_cython() -> None:
    check(binding(PLAIN).__name__, None)


@pytest.mark.parametrize("isa", ["portable", "avx2"])
@pytest.mark.parametrize("name", ["ctypes", "pyo3"])
def test_every_kernel_on_less(name: str, isa: str) -> None:
    check(binding(name).__name__, isa)
