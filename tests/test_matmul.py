"""matmul: every door gives the same product within the same bound, and refuses the same things."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from doors import NATIVE, door, open_doors
from hypothesis import given, settings
from hypothesis import strategies as st

import bindings

pytestmark = pytest.mark.part("matmul")

Array = npt.NDArray[Any]
DTYPES = (np.float32, np.float64)
SIZES = (0, 1, 2, 3, 7, 8, 9, 16, 17, 23, 24, 25, 31, 47, 48, 49, 64, 65, 97, 130)
rng = np.random.default_rng(20)


class Case:
    """Two operands, and what their product must be: the exact one within K * u * (|A| |B|)."""

    def __init__(self, a: Array, b: Array) -> None:
        wide = np.longdouble
        self.a, self.b = a, b
        self.exact = a.astype(wide) @ b.astype(wide)
        info = np.finfo(a.dtype)
        # (1 + u)^K - 1 <= 1.01 K u for these K; the smallest denormal is for gradual underflow
        bound = 1.01 * max(a.shape[1], 1) * (info.eps / 2) * (abs(a).astype(wide) @ abs(b))
        self.bound = bound + info.smallest_subnormal

    def check(self, product: Array) -> None:
        assert product.dtype == self.a.dtype
        assert product.shape == self.exact.shape
        assert product.flags.c_contiguous
        assert (abs(product - self.exact) <= self.bound).all()


@cache
def case(m: int, k: int, n: int, dtype: type) -> Case:
    return Case(
        rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
    )


def check(product: Array, a: Array, b: Array) -> None:
    Case(a, b).check(product)


SHAPES = [(1, 300, 1), (1, 1, 300), (300, 1, 2)] + [
    (int(m), int(k), int(n)) for m, k, n in rng.choice(SIZES, (150, 3))
]


def layouts(array: Array) -> Iterator[Array]:
    """The same values in every layout that strides can describe."""
    yield array
    yield np.asfortranarray(array)
    yield array[::-1, ::-1].copy()[::-1, ::-1]
    wide = np.zeros((2 * array.shape[0], 3 * array.shape[1]), array.dtype)
    wide[::2, ::3] = array
    yield wide[::2, ::3]
    record = np.zeros(array.shape, np.dtype([("pad", "u1"), ("value", array.dtype)]))
    record["value"] = array
    yield record["value"]  # misaligned, strides no multiple of the item size
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen


@pytest.mark.parametrize("dtype", DTYPES)
def test_shapes(backend: ModuleType, dtype: type) -> None:
    for shape in SHAPES[:20] if backend.__name__ == "bindings.python" else SHAPES:
        one = case(*shape, dtype)
        one.check(backend.matmul(one.a, one.b))


@pytest.mark.part("matmul", native=True)
@pytest.mark.parametrize("dtype", DTYPES)
def test_large(backend: ModuleType, dtype: type) -> None:
    one = case(261, 1031, 351, dtype)
    one.check(backend.matmul(one.a, one.b.T.copy().T))


@pytest.mark.parametrize("dtype", DTYPES)
def test_layouts(backend: ModuleType, dtype: type) -> None:
    one = case(19, 21, 18, dtype)
    for a in layouts(one.a):
        for b in layouts(one.b):
            one.check(backend.matmul(a, b))
    row = np.broadcast_to(one.a[:1], one.a.shape)
    check(backend.matmul(row, one.b), row, one.b)


@pytest.mark.parametrize("isa", ["portable", "avx2", "avx512"])
def test_every_isa(isa: str) -> None:
    """The tests above once more, in a process where the kernels are held to one instruction set."""
    chosen = "test_shapes or test_large or test_layouts or test_isa_is_pinned"
    command = [
        sys.executable,
        "-P",
        "-m",
        "pytest",
        "-q",
        __file__,
        "-k",
        f"({chosen}) and not python]",
    ]
    environment = {**os.environ, "COOKBOOK_ISA": isa}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_isa_is_pinned(backend: ModuleType) -> None:
    levels = ["portable", "avx2", "avx512"]
    pinned, used = os.environ.get("COOKBOOK_ISA", "avx512"), backend.about()["isa"]
    assert used not in levels or levels.index(used) <= levels.index(pinned)


# ---- results -------------------------------------------------------------------------------


def test_empty(backend: ModuleType) -> None:
    for m, k, n in [(0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0)]:
        product = backend.matmul(np.ones((m, k)), np.ones((k, n)))
        assert product.shape == (m, n)
        assert (product == 0).all()
    endless = np.broadcast_to(1.0, (0, 2**40))
    assert backend.matmul(endless, np.broadcast_to(1.0, (2**40, 3))).shape == (0, 3)
    out = np.full((2, 2), np.nan)
    assert backend.matmul(np.ones((2, 0)), np.ones((0, 2)), out=out) is out
    assert (out == 0).all()


def test_nan_and_inf(backend: ModuleType) -> None:
    a = np.zeros((20, 30), np.float32)
    b = np.zeros((30, 20), np.float32)
    a[3, 4], b[4, 5], b[7, 8] = np.inf, 2, np.nan
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(backend.matmul(a, b), a @ b)


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


def test_inputs_may_be_one_array(backend: ModuleType) -> None:
    a = rng.standard_normal((13, 13))
    check(backend.matmul(a, a), a, a)
    check(backend.matmul(a, a.T), a, a.T)


# ---- refusals ------------------------------------------------------------------------------

A, B = np.ones((3, 4)), np.ones((4, 5))
STORE = np.ones(200)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([[1.0]], B),
        (A, None),
        (A, [[1.0]] * 4),
        (A.astype(np.float32), B),
        (A, B.astype(np.float32)),
        (A.astype(int), B.astype(int)),
        (A.astype(np.float16), B.astype(np.float16)),
        (A.astype(complex), B.astype(complex)),
        (A.astype(">f8"), B.astype(">f8")),
        (A, B.astype(">f8")),
        (A.astype(">f4").T, B.astype(np.float32)),
        (A.astype(object), B),
        (A.astype("M8[s]"), B.astype("M8[s]")),
        (A.astype(bool), B.astype(bool)),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}",
)
def test_wrong_types(backend: ModuleType, a: Any, b: Any) -> None:
    with pytest.raises(TypeError):
        backend.matmul(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (A, A),
        (A[0], B),
        (A, B[:, 0]),
        (np.ones(()), B),
        (A, np.zeros(())),
        (A[None], B),
        (np.ones((3, 0)), np.ones((1, 3))),
    ],
)
def test_wrong_shapes(backend: ModuleType, a: Any, b: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each door words it in its own way
        backend.matmul(a, b)


def frozen(shape: tuple[int, int]) -> Array:
    array = np.zeros(shape)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("error", "out"),
    [
        (TypeError, [[0.0] * 5] * 3),
        (TypeError, np.zeros((3, 5), np.float32)),
        (TypeError, np.zeros((3, 5), ">f8")),
        (TypeError, np.zeros((3, 5), int)),
        (ValueError, np.zeros((3, 4))),
        (ValueError, np.zeros((5, 3))),
        (ValueError, np.zeros(15)),
        (ValueError, np.zeros((1, 3, 5))),
        (ValueError, frozen((3, 5))),
        (ValueError, np.zeros((5, 3)).T),
        (ValueError, np.zeros((3, 10))[:, ::2]),
        (ValueError, np.zeros((6, 5))[::2]),
        (ValueError, np.zeros((3, 5))[::-1]),
        (ValueError, np.lib.stride_tricks.as_strided(np.zeros(5), (3, 5), (0, 8))),
        (ValueError, np.zeros(121, np.uint8)[1:].view(np.float64).reshape(3, 5)),
    ],
)
def test_wrong_out(backend: ModuleType, error: type[Exception], out: Any) -> None:
    with pytest.raises(error):
        backend.matmul(A, B, out=out)


@pytest.mark.parametrize("shift", [0, 1, 11])
def test_overlapping_out(backend: ModuleType, shift: int) -> None:
    a, b = STORE[:12].reshape(3, 4), STORE[100:120].reshape(4, 5)
    before = STORE.copy()
    for out in (STORE[shift : shift + 15], STORE[100 - shift : 115 - shift], STORE[119:134]):
        with pytest.raises(ValueError):  # noqa: PT011 - each door words it in its own way
            backend.matmul(a, b, out=out.reshape(3, 5))
    backwards = STORE[11::-1].reshape(3, 4)
    with pytest.raises(ValueError):  # noqa: PT011
        backend.matmul(backwards, b, out=STORE[11:26].reshape(3, 5))
    assert (before == STORE).all()
    backend.matmul(a, b, out=np.empty(27)[12:].reshape(3, 5))
    beside = np.ones(60)
    backend.matmul(beside[:12].reshape(3, 4), b, out=beside[12:27].reshape(3, 5))


@pytest.mark.parametrize(
    ("threads", "error"), [(0, ValueError), (-1, ValueError), ("2", TypeError)]
)
def test_wrong_threads(backend: ModuleType, threads: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        backend.matmul(A, B, threads=threads)


def test_many_threads_are_no_error(backend: ModuleType) -> None:
    assert (backend.matmul(A, B, threads=100_000) == 4).all()


@pytest.mark.part("matmul", native=True)
def test_callers_at_once(backend: ModuleType) -> None:
    """Eight threads of Python, each asking for more threads than there are."""
    one = case(200, 210, 220, np.float32)
    alone = backend.matmul(one.a, one.b)

    def call(threads: int) -> list[Array]:
        return [backend.matmul(one.a, one.b, threads=threads) for _ in range(10)]

    with ThreadPoolExecutor(8) as callers:
        for products in callers.map(call, [2, 3, 1, 1000, 2, 64, 5, 100_000]):
            for product in products:
                np.testing.assert_array_equal(product, alone)


@pytest.mark.parametrize("size", [1 << 30, 1 << 40])
def test_too_large(backend: ModuleType, size: int) -> None:
    column, row = np.broadcast_to(1.0, (size, 1)), np.broadcast_to(1.0, (1, size))
    with pytest.raises(MemoryError):
        backend.matmul(column, row)


def test_argument_names(backend: ModuleType) -> None:
    assert backend.matmul(b=B, a=A).shape == (3, 5)
    for arguments, keywords in [
        ((A,), {}),
        ((A, B, None), {}),
        ((A, B), {"c": 1}),
        ((A, B), {"a": A}),
    ]:
        with pytest.raises(TypeError):
            backend.matmul(*arguments, **keywords)


# ---- bits ----------------------------------------------------------------------------------

BITS = """
import hashlib, sys
import numpy as np
import bindings

random, digests = np.random.default_rng(5), {}
doors = {(name, n): bindings.load(name).matmul for name in sys.argv[1:] for n in (1, 2, 5)}
for turn in range(200):
    m, k, n = random.integers(1, [60, 60, 110] if turn % 20 else [160, 600, 200])
    dtype = (np.float32, np.float64)[turn % 2]
    a, b = random.standard_normal((m, k)), random.standard_normal((k, n))
    a, b = a.astype(dtype), b.astype(dtype)
    if turn % 3 == 1:
        b = np.asfortranarray(b)
    if turn % 5 == 1:
        a = np.asfortranarray(a)[::-1]
    for (name, threads), matmul in doors.items():
        digest = digests.setdefault((name, threads), hashlib.sha256())
        digest.update(matmul(a, b, threads=threads))
for (name, threads), digest in digests.items():
    print(name, threads, digest.hexdigest())
"""


def test_one_bit_pattern() -> None:
    """Every native door, instruction set and number of threads: the same bytes."""
    names = [name for name, _ in open_doors("matmul") if name in NATIVE]
    command = [sys.executable, "-P", "-c", BITS, *names]
    runs = [
        subprocess.Popen(
            command, env={**os.environ, "COOKBOOK_ISA": isa}, stdout=subprocess.PIPE, text=True
        )
        for isa in ("portable", "avx2", "avx512")
    ]
    digests = {}
    for run, isa in zip(runs, ("portable", "avx2", "avx512"), strict=True):
        lines = run.communicate()[0].splitlines()
        assert run.returncode == 0
        assert len(lines) == 3 * len(names)
        digests |= {(isa, *line.split()[:2]): line.split()[2] for line in lines}
    assert len(set(digests.values())) == 1, digests


# ---- all doors at once ---------------------------------------------------------------------

finite = st.floats(-1e6, 1e6, width=32)


@pytest.mark.part("matmul")
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_random_matrices_in_every_door(data: st.DataObject) -> None:
    m, k, n = (data.draw(st.integers(0, 9)) for _ in range(3))
    dtype = data.draw(st.sampled_from(DTYPES))
    values = data.draw(st.lists(finite, min_size=m * k + k * n, max_size=m * k + k * n))
    a = np.array(values[: m * k], dtype).reshape(m, k)
    b = np.array(values[m * k :], dtype).reshape(k, n)
    one = Case(a, b)
    for name in bindings.names():
        one.check(door(name).matmul(a, b))


@pytest.mark.parametrize("name", ["capi", "cython", "pybind11", "nanobind", "pyo3"])
def test_load_gives_the_native_function(name: str) -> None:
    function = door(name).matmul
    assert not hasattr(function, "__code__"), "a Python function stands in front of the native one"
    assert bindings.load(name).matmul is function
