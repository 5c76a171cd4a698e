"""No kernel of any binding accesses a byte outside its memory: see guard_pages.py."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from support.backends import KERNELS, binding
from support.processes import run_in_child, run_python

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no mprotect here")
SCRIPT = "from safety.guard_pages import check; check(k, {step})"


@pytest.mark.part("matmul", native=True)
def test_every_backend(backend: ModuleType) -> None:
    step = 1 if backend.__name__.rpartition(".")[2] in KERNELS else 8
    run_in_child(backend, [SCRIPT.format(step=step)])


@pytest.mark.full
@pytest.mark.parametrize("isa", ["portable", "avx2"])
@pytest.mark.parametrize("name", ["capi", "pyo3"])
def test_every_kernel_on_less(name: str, isa: str) -> None:
    module = binding(name).__name__
    program = f"import {module} as k\n{SCRIPT.format(step=1)}"
    run_python("-c", program, env={"COOKBOOK_ISA": isa})
