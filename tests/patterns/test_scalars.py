"""Scalars: every binding gives the same answers, and no wrong number for what cannot convert."""

from __future__ import annotations

import math
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.backends import REFUSALS

pytestmark = pytest.mark.part("patterns")


def test_about(backend: ModuleType) -> None:
    facts = backend.about()
    assert set(facts) - {"flags"} == {"technology", "compiler", "kernel", "isa"}
    assert all(isinstance(value, str) and value for value in facts.values())


def test_noop(patterns: Any) -> None:
    assert patterns.noop() is None
    assert patterns.noop_nogil() is None


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
    assert type(patterns.score("", 1, 2)) is float
    assert patterns.score("a", 2**53 + 1, 0.0) == 2.0**53 + 96  # rounded once, then 97 more


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


def test_what_may_convert(patterns: Any) -> None:
    """The result is the right number, or the argument is refused."""
    for three in (Index(), np.int64(3), np.uint8(3)):
        with suppress(*REFUSALS):
            assert patterns.add_int(three, 4) == 7
        with suppress(*REFUSALS):
            assert patterns.add_float(three, 4.5) == 7.5


@pytest.mark.parametrize("options", [{"scale": "2"}, {"scale": None}, {"sclae": 2.0}, {"x": 1.0}])
def test_keywords_that_do_not_convert(patterns: Any, options: dict[str, Any]) -> None:
    with pytest.raises(REFUSALS):
        patterns.keywords(3.0, **options)
