"""Scalars: every binding gives the same answers, and no wrong number for what cannot convert."""

from __future__ import annotations

import math
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.backends import REFUSALS, open_backends
from support.labels import label

pytestmark = pytest.mark.part("patterns")

int64 = st.integers(-(2**63), 2**63 - 1)
double = st.floats(allow_nan=False)


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def same(x: float, y: float) -> bool:
    return repr(x) == repr(y)  # compares -0.0, inf and nan too


def test_about(backend: ModuleType) -> None:
    facts = backend.about()
    assert set(facts) - {"flags"} == {"technology", "compiler", "kernel", "isa"}
    assert all(isinstance(value, str) and value for value in facts.values())


def test_noop(patterns: Any) -> None:
    assert patterns.noop() is None
    assert patterns.noop_nogil() is None


@settings(max_examples=50, deadline=None)
@given(a=int64, b=int64, c=int64, x=double, y=double, z=double)
def test_in_every_backend(a: int, b: int, c: int, x: float, y: float, z: float) -> None:
    for name, binding in open_backends("patterns"):
        patterns = binding.patterns
        assert patterns.int_in(a) is None, name
        assert patterns.add_int(a, b) == wrap(a + b), name
        assert same(patterns.add_float(x, y), x + y), name
        assert same(patterns.six_scalars(a, x, b, y, c, z), float(a) + x + b + y + c + z), name
        assert same(patterns.keywords(x, offset=y, scale=z), x * z + y), name


def test_ints(patterns: Any) -> None:
    assert patterns.int_out() == 42
    assert type(patterns.int_out()) is int
    assert patterns.int_in(2**63 - 1) is None
    assert patterns.int_in(-(2**63)) is None
    assert patterns.add_int(2**63 - 1, 1) == -(2**63)
    assert patterns.add_int(True, 2) == 3
    assert type(patterns.add_int(1, 1)) is int


def test_floats(patterns: Any) -> None:
    assert patterns.add_float(1, 2.5) == 3.5
    assert math.isnan(patterns.add_float(math.nan, 1.0))
    assert type(patterns.add_float(1, 1)) is float
    assert patterns.six_scalars(1, 2.5, 3, 4.5, 5, 6.5) == 22.5
    assert patterns.six_scalars(2**62, 0.0, 0, 0.0, 0, 0.0) == 2.0**62


def test_keywords(patterns: Any) -> None:
    assert patterns.keywords(3.0) == 3.0
    assert patterns.keywords(x=3.0, scale=2.0) == 6.0
    assert patterns.keywords(3, offset=1) == 4.0
    assert type(patterns.keywords(3)) is float


def test_bools(patterns: Any) -> None:
    assert patterns.invert(True) is False
    assert patterns.invert(False) is True


class Index:
    def __index__(self) -> int:
        return 3


class Liar:
    def __index__(self) -> int:
        return "3"  # type: ignore[return-value]

    __float__ = __index__


def test_what_may_convert(patterns: Any) -> None:
    """The result is the right number, or the argument is refused."""
    for three in (Index(), np.int64(3), np.uint8(3)):
        with suppress(*REFUSALS):
            assert patterns.add_int(three, 4) == 7
        with suppress(*REFUSALS):
            assert patterns.add_float(three, 4.5) == 7.5


@pytest.mark.parametrize(
    ("pattern", "arguments"),
    [
        ("noop", (1,)),
        ("noop_nogil", (1,)),
        ("int_out", (1,)),
        *(("int_in", (x,)) for x in (1.0, "1", None, 2**63, -(2**63) - 1, 2**64, Liar())),
        ("int_in", ()),
        ("int_in", (1, 2)),
        *(("invert", (x,)) for x in (0, 1, 1.0, None, "True", "", [], np.int64(1))),
        ("invert", ()),
        ("invert", (True, True)),
        ("add_int", (1.0, 2)),
        ("add_int", ("1", 2)),
        ("add_int", (np.float64(1), 2)),
        ("add_int", (2**63, 0)),
        ("add_int", (0, -(2**63) - 1)),
        ("add_int", (2**64, 0)),
        ("add_int", (1,)),
        ("add_int", (1, 2, 3)),
        ("add_int", (None, 1)),
        ("add_float", ("1", 2.0)),
        ("add_float", (None, 2.0)),
        ("add_float", (1.0,)),
        ("add_float", (1j, 2.0)),
        ("add_float", (10**400, 2.0)),
        ("add_float", (Liar(), 1)),
        ("six_scalars", (1, 2.0, 3.5, 4.0, 5, 6.0)),
        ("six_scalars", (1, 2.0, 3, 4.0, 2**63, 6.0)),
        ("six_scalars", (1, 2.0, 3)),
        ("keywords", ("x",)),
        ("keywords", ()),
        ("keywords", (1.0, 2.0)),
    ],
    ids=label,
)
def test_what_does_not_convert(patterns: Any, pattern: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSALS):
        getattr(patterns, pattern)(*arguments)


@pytest.mark.parametrize("options", [{"scale": "2"}, {"scale": None}, {"sclae": 2.0}, {"x": 1.0}])
def test_keywords_that_do_not_convert(patterns: Any, options: dict[str, Any]) -> None:
    with pytest.raises(REFUSALS):
        patterns.keywords(3.0, **options)
