"""matmul: every binding gives the same product within the same bound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import ffi_cookbook
from support.backends import binding
from support.matrices import DTYPES, ISAS, case, check, layouts, rng
from support.processes import run_python

pytestmark = pytest.mark.part("matmul")

SIZES = (0, 1, 2, 3, 7, 8, 9, 16, 17, 23, 24, 25, 31, 47, 48, 49, 64, 65, 97, 130)
SHAPES = [(1, 300, 1), (1, 1, 300), (300, 1, 2)] + [
    (int(m), int(k), int(n)) for m, k, n in rng.choice(SIZES, (150, 3))
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_shapes(backend: ModuleType, dtype: type) -> None:
    for shape in SHAPES[:20] if backend.__name__ == "ffi_cookbook.bindings.python" else SHAPES:
        one = case(*shape, dtype)
        one.check(backend.matmul(one.a, one.b))


@pytest.mark.part("matmul", kernels=True, native=True)
@pytest.mark.parametrize("dtype", DTYPES)
def test_large(backend: ModuleType, dtype: type) -> None:
    one = case(261, 1031, 351, dtype)
    one.check(backend.matmul(one.a, one.b.T.copy().T))


def test_an_empty_sum(backend: ModuleType) -> None:
    endless = np.broadcast_to(1.0, (0, 2**40))
    assert backend.matmul(endless, np.broadcast_to(1.0, (2**40, 3))).shape == (0, 3)
    out = np.full((2, 2), np.nan)
    assert backend.matmul(np.ones((2, 0)), np.ones((0, 2)), out=out) is out
    assert (out == 0).all()


@pytest.mark.part("matmul", kernels=True)
def test_nan_and_inf(backend: ModuleType) -> None:
    a = np.zeros((20, 30), np.float32)
    b = np.zeros((30, 20), np.float32)
    a[3, 4], b[4, 5], b[7, 8] = np.inf, 2, np.nan
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(backend.matmul(a, b), a @ b)


def test_inputs_may_be_one_array(backend: ModuleType) -> None:
    a = rng.standard_normal((13, 13))
    check(backend.matmul(a, a), a, a)
    check(backend.matmul(a, a.T), a, a.T)


@pytest.mark.parametrize("name", ["capi", "cython", "pybind11", "nanobind", "pyo3"])
def test_load_gives_the_native_function(name: str) -> None:
    function = binding(name).matmul
    assert not hasattr(function, "__code__"), "a Python function stands in front of the native one"
    assert ffi_cookbook.load(name).matmul is function


# ---- operands with any strides, and the strides that `out` may have -------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_layouts(backend: ModuleType, dtype: type) -> None:
    one = case(19, 21, 18, dtype)
    for a in layouts(one.a):
        for b in layouts(one.b):
            one.check(backend.matmul(a, b))
    row = np.broadcast_to(one.a[:1], one.a.shape)
    check(backend.matmul(row, one.b), row, one.b)


def test_out(backend: ModuleType) -> None:
    a, b = rng.standard_normal((9, 10)), rng.standard_normal((10, 11))
    out = np.full((9, 11), np.nan)
    assert backend.matmul(a, b, out=out, threads=2) is out
    check(out, a, b)
    inside = np.full((4, 11, 11), np.nan)
    backend.matmul(a, b, out=inside[1, :9])
    check(inside[1, :9], a, b)
    assert np.isnan(inside[[0, 2, 3]]).all()
    assert np.isnan(inside[1, 9:]).all()


def test_out_with_a_stride_that_does_not_matter(backend: ModuleType) -> None:
    a, b = rng.standard_normal((1, 3)), rng.standard_normal((3, 5))
    out = np.full((4, 5), np.nan)[::-1][:1]
    assert out.flags.c_contiguous
    assert out.strides[0] < 0
    assert backend.matmul(a, b, out=out) is out
    check(out, a, b)


def test_an_empty_out_lies_anywhere(backend: ModuleType) -> None:
    """An array without elements is never misaligned or in the wrong place."""
    a, b = np.ones((2, 5, 4)), np.ones((1, 4, 0))
    for out in (
        np.zeros((2, 5, 0)),
        np.ndarray((2, 5, 0), np.float64, bytearray(9), 1, (8, 80, 8)),
    ):
        assert backend.matmul(a, b, out=out) is out


# ---- instruction sets ----------------------------------------------------------------------

FILES = ("test_products.py", "test_batch.py")


@pytest.mark.full
@pytest.mark.parametrize("isa", ISAS)
def test_every_isa(isa: str) -> None:
    """The product stays right in a process whose kernels are pinned to one instruction set."""
    chosen = "test_shapes or test_large or test_layouts or test_forms or test_isa_is_pinned"
    chosen = f"({chosen}) and not [python"
    files = [Path(__file__).parent / name for name in FILES]
    run_python("-m", "pytest", "-q", *files, "-k", chosen, env={"COOKBOOK_ISA": isa}, seconds=3600)


def test_isa_is_pinned(backend: ModuleType) -> None:
    levels = list(ISAS)
    pinned, used = os.environ.get("COOKBOOK_ISA", "avx512"), backend.about()["isa"]
    assert used not in levels or levels.index(used) <= levels.index(pinned)


@pytest.mark.parametrize(("isa", "warnings"), [("AVX2", 1), ("avx1024", 1), ("avx2", 0), ("", 0)])
def test_an_unknown_instruction_set_warns(isa: str, warnings: int) -> None:
    command = [sys.executable, "-P", "-c", "import ffi_cookbook"]
    environment = {**os.environ, "COOKBOOK_ISA": isa}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert run.stderr.count(f"COOKBOOK_ISA={isa} names no instruction set") == warnings
