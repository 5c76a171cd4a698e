"""Arrays: every binding gives the same sums, views stay views, and no other memory is read."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.part("patterns")


def frozen(values: Any) -> Any:
    values.flags.writeable = False
    return values


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


@pytest.mark.parametrize(("pattern", "factors"), [("array_map", ()), ("scaled", (2,))])
def test_new_arrays(patterns: Any, pattern: str, factors: tuple[int, ...]) -> None:
    def twice(values: Any) -> Any:
        return getattr(patterns, pattern)(values, *factors)

    values = frozen(np.array([1.5, -0.0, np.inf]))
    first, second = twice(values), twice(values)
    assert type(first) is np.ndarray
    assert first.dtype == np.float64
    assert first.flags.carray
    assert not np.shares_memory(first, values)
    first[:] = 7
    assert repr(second.tolist()) == "[3.0, -0.0, inf]"
    assert repr(values.tolist()) == "[1.5, -0.0, inf]"
    assert twice(np.empty(0)).shape == (0,)
    assert twice(np.arange(12.0).reshape(3, 4)[1]).tolist() == [8.0, 10.0, 12.0, 14.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert twice(np.array([1e308])).tolist() == [np.inf]
        assert np.isnan(patterns.scaled(values[2:], 0.0)).all()


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
        patterns.tensor_in,
    ):
        assert sum_of(nothing) == 0.0
    for array in (patterns.array_map(nothing), patterns.scaled(nothing, 2.0)):
        assert array.shape == (0,)
    patterns.array_inplace(nothing, 2.0)
