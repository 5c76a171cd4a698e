"""Arrays: every binding gives the same sums, views stay views, and no other memory is read."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.backends import REFUSALS, open_backends

pytestmark = pytest.mark.part("patterns")

MISALIGNED = np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64)
SHARED = np.zeros(4, [("value", "f8"), ("more", "f4")])["value"]  # 12 bytes apart
WRONG_DTYPES = [
    np.arange(3),
    np.arange(3, dtype=np.float32),
    np.arange(3.0).astype(">f8"),
    np.arange(3, dtype=np.complex128),
    np.array([1.0, "a"], dtype=object),
    np.array([True, False]),
]
NO_VECTORS = [*WRONG_DTYPES, [1.0, 2.0], None, 3.0, np.ones((2, 2)), np.array(1.0), MISALIGNED]
NO_ARRAYS = [*NO_VECTORS, np.arange(6.0)[::2], np.arange(6.0)[::-1], np.broadcast_to(1.0, 3)]


def added(values: Any) -> float:
    """Add from left to right: np.sum adds pairwise, and sum() compensates from Python 3.12 on."""
    total = 0.0
    for value in values:
        total += float(value)
    return total


def frozen(values: Any) -> Any:
    values.flags.writeable = False
    return values


@settings(max_examples=50, deadline=None)
@given(
    floats=st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=40),
    step=st.integers(-3, 3).filter(bool),
    n=st.integers(0, 50),
)
def test_in_every_backend(floats: list[float], step: int, n: int) -> None:
    values = np.array(floats, float)
    for name, binding in open_backends("patterns"):
        patterns = binding.patterns
        for sums in (patterns.array_in, patterns.array_in_nogil, patterns.dlpack_in):
            assert repr(sums(values)) == repr(added(values)), name
        assert repr(patterns.strided_in(values[::step])) == repr(added(values[::step])), name
        assert patterns.array_out(n).tolist() == list(range(n)), name
        assert repr(patterns.array_map(values)) == repr(values * 2), name


@pytest.mark.parametrize("pattern", ["array_in", "array_in_nogil", "strided_in"])
def test_sums(patterns: Any, pattern: str) -> None:
    function = getattr(patterns, pattern)
    assert function(frozen(np.arange(5.0))) == 10.0
    assert str(function(np.empty(0))) == "0.0"  # not -0.0
    assert function(np.array([1e16, 1.0, -1e16])) == 0.0
    assert function(np.arange(12.0).reshape(3, 4)[1]) == 22.0
    assert type(function(np.ones(3))) is float


def test_strides(patterns: Any) -> None:
    grid = np.arange(12.0).reshape(3, 4)
    assert patterns.strided_in(grid[:, 1]) == 15.0
    assert patterns.strided_in(grid[::-1, 1]) == 15.0
    assert patterns.strided_in(np.arange(10.0)[::-3]) == 18.0
    assert str(patterns.strided_in(np.arange(10.0)[5:5:-2])) == "0.0"
    assert patterns.strided_in(np.broadcast_to(2.5, 4)) == 10.0
    with_others = np.zeros(3, [("value", "f8"), ("more", "f8")])
    with_others["value"] = [1, 2, 3]
    assert patterns.strided_in(with_others["value"]) == 6.0


def test_array_out(patterns: Any) -> None:
    first, second = patterns.array_out(4), patterns.array_out(4)
    assert type(first) is np.ndarray
    assert first.dtype == np.float64
    assert first.flags.carray
    first[:] = 7
    assert second.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert patterns.array_out(0).shape == (0,)
    view = patterns.array_out(5)[1:]
    assert view.tolist() == [1.0, 2.0, 3.0, 4.0]  # its memory outlives the first array


def test_array_map(patterns: Any) -> None:
    values = frozen(np.array([1.5, -0.0, np.inf]))
    first, second = patterns.array_map(values), patterns.array_map(values)
    assert type(first) is np.ndarray
    assert first.dtype == np.float64
    assert first.flags.carray
    assert not np.shares_memory(first, values)
    first[:] = 7
    assert repr(second.tolist()) == "[3.0, -0.0, inf]"
    assert repr(values.tolist()) == "[1.5, -0.0, inf]"
    assert patterns.array_map(np.empty(0)).shape == (0,)
    assert patterns.array_map(np.arange(12.0).reshape(3, 4)[1]).tolist() == [8.0, 10.0, 12.0, 14.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert patterns.array_map(np.array([1e308])).tolist() == [np.inf]


def test_array_inplace(patterns: Any) -> None:
    big = np.arange(8.0)
    assert patterns.array_inplace(big[2:5], -2) is None
    assert big.tolist() == [0.0, 1.0, -4.0, -6.0, -8.0, 5.0, 6.0, 7.0]
    grid = np.ones((3, 2))
    patterns.array_inplace(grid[1], 0.5)
    assert grid.tolist() == [[1.0, 1.0], [0.5, 0.5], [1.0, 1.0]]
    patterns.array_inplace(np.empty(0), 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        huge = np.array([1e308])
        patterns.array_inplace(huge, 10.0)
    assert huge.tolist() == [np.inf]


def test_array_inplace_does_not_change_what_it_refuses(patterns: Any) -> None:
    for values in (frozen(np.ones(3)), np.ones(6)[::2], np.ones(3, np.float32)):
        with pytest.raises(REFUSALS):
            patterns.array_inplace(values, 2.0)
        assert values.tolist() == [1.0, 1.0, 1.0]
    values = np.ones(3)
    for factor in ("2", None, 2j):
        with pytest.raises(REFUSALS):
            patterns.array_inplace(values, factor)
    assert values.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("values", NO_ARRAYS, ids=repr)
def test_what_is_not_an_array(patterns: Any, values: Any) -> None:
    for function in (patterns.array_in, patterns.array_in_nogil, patterns.array_map):
        with pytest.raises(REFUSALS):
            function(values)
    with pytest.raises(REFUSALS):
        patterns.array_inplace(values, 2.0)


@pytest.mark.parametrize("values", [*NO_VECTORS, SHARED], ids=repr)
def test_what_is_not_a_vector(patterns: Any, values: Any) -> None:
    with pytest.raises(REFUSALS):
        patterns.strided_in(values)


@pytest.mark.parametrize("n", [-1, -(2**63), 1.5, "3", None, 2**64])
def test_what_is_not_a_size(patterns: Any, n: Any) -> None:
    with pytest.raises(REFUSALS):
        patterns.array_out(n)


@pytest.mark.parametrize("n", [2**50, 2**59, 2**60, 2**62, 2**63 - 1])
def test_what_does_not_fit_in_memory(patterns: Any, n: int) -> None:
    with pytest.raises((MemoryError, ValueError)):
        patterns.array_out(n)


def test_an_array_without_items_lies_anywhere(patterns: Any) -> None:
    nothing = np.zeros(16, np.uint8)[1:1].view(np.float64)
    for sum_of in (
        patterns.array_in,
        patterns.array_in_nogil,
        patterns.strided_in,
        patterns.dlpack_in,
    ):
        assert sum_of(nothing) == 0.0
    for array in (patterns.array_map(nothing), patterns.scaled(nothing, 2.0)):
        assert array.shape == (0,)
    patterns.array_inplace(nothing, 2.0)
