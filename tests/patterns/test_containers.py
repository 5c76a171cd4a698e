"""Lists, dicts and tuples: every binding gives the same answers and refuses other items."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from support.backends import binding

pytestmark = pytest.mark.part("patterns")


def test_list_in(patterns: Any) -> None:
    assert str(patterns.list_in([])) == "0.0"
    assert patterns.list_in([1, 2.5, True]) == 4.5
    assert patterns.list_in([1e16, 1.0, -1e16]) == 0.0  # added from left to right
    assert type(patterns.list_in([1])) is float


@pytest.mark.parametrize("narrow", [np.float16, np.float32], ids=lambda kind: kind.__name__)
def test_narrow_floats_are_added_as_doubles(patterns: Any, narrow: Any) -> None:
    large, tenth = narrow(2**11 if narrow is np.float16 else 2**24), narrow(0.1)
    assert patterns.list_in([large, 1.0, 1.0]) == float(large) + 2.0
    assert patterns.list_in([large, tenth]) == float(large) + float(tenth)
    assert patterns.dict_in({"a": tenth, "b": large}) == 97 * float(tenth) + 98 * float(large)


def test_list_out(patterns: Any) -> None:
    first, second = patterns.list_out(3), patterns.list_out(3)
    assert type(first) is list
    assert {type(value) for value in first} == {float}
    first.append(7.0)
    assert second == [0.0, 1.0, 2.0]
    assert patterns.list_out(0) == []
    assert patterns.list_out(1000) == [float(i) for i in range(1000)]


def test_strings_in(patterns: Any) -> None:
    assert patterns.strings_in([]) == 0
    assert patterns.strings_in(["a\0é", "", "😀", "a\0é"]) == sum("a\0é😀a\0é".encode())
    assert type(patterns.strings_in([])) is int


def test_dict_in(patterns: Any) -> None:
    assert str(patterns.dict_in({})) == "0.0"
    assert patterns.dict_in({"a": 1, "é": 0.5}) == 97 + sum("é".encode()) / 2
    assert patterns.dict_in({"a": 1e16, "b": 1.0, "c": -1e16}) == 1e16 * 97 + 98 - 1e16 * 99
    shrunk = {str(i): 1.0 for i in range(100)}
    for i in range(99):
        del shrunk[str(i)]
    assert patterns.dict_in(shrunk) == 2.0 * ord("9")


def test_tuple_out(patterns: Any) -> None:
    made = patterns.tuple_out(2**63 - 1, -(2**63))
    assert made == (-(2**63), 2**63 - 1)
    assert type(made) is tuple
    assert {type(item) for item in made} == {int}
    assert patterns.tuple_out(3, 3) == (3, 3)


@pytest.mark.parametrize("n", [2**50, 2**60, 2**63 - 1])
def test_what_does_not_fit_in_memory(patterns: Any, n: int) -> None:
    with pytest.raises((MemoryError, ValueError, OverflowError)):
        patterns.list_out(n)


def test_a_dict_that_its_items_change() -> None:
    """PyO3's iterator of a dict panics if an item's methods change it."""
    patterns = binding("pyo3").patterns

    class Value(float):
        def __del__(self) -> None:
            weights.clear()

    class Clears:
        def __float__(self) -> float:
            weights.clear()
            return 1.0

    class Replaces:
        def __float__(self) -> float:
            weights["a"] = 1.0  # the call holds the only reference to the old value
            return 1.0

        __del__ = Value.__del__

    for item in (Clears, Replaces):
        for call in (patterns.dict_in, patterns.idiomatic.dict_in):
            weights: dict[str, Any] = {"a": item(), **{str(i): 1.0 for i in range(9)}}
            with suppress(RuntimeError):
                assert call(weights) >= 0
