"""Arguments of several kinds: every binding gives the same answers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.part("patterns")


def test_kinds_of_result(patterns: Any) -> None:
    assert type(patterns.add_three(1, 2, 3)) is int
    assert type(patterns.score("", 1, 2)) is float
    stamped = patterns.stamp(b"abc", 0)
    assert stamped == b"abc"
    assert type(stamped) is bytes
    assert patterns.stamp(b"", 9) == b""
    assert patterns.stamp(b"\0\xff", 255) == b"\xff\0"


def test_wrapping_and_rounding(patterns: Any) -> None:
    assert patterns.add_three(2**63 - 1, 1, 0) == -(2**63)
    assert patterns.add_three(2**63 - 1, 2**63 - 1, 2**63 - 1) == 2**63 - 3
    odd, rounded = 2**53 + 1, 2.0**53 + 96  # 2**53 as a double, plus 97 for the text
    assert patterns.score("a", odd, 0.0) == rounded
    assert patterns.shifted(np.zeros(1), odd, "a").tolist() == [rounded]


def test_new_arrays(patterns: Any) -> None:
    values = np.arange(3.0)
    values.flags.writeable = False
    for made in (patterns.scaled(values, 1), patterns.shifted(values, 0, "")):
        assert type(made) is np.ndarray
        assert made.dtype == np.float64
        assert made.flags.carray
        assert not np.shares_memory(made, values)
        made[:] = 7
    assert values.tolist() == [0.0, 1.0, 2.0]
    assert patterns.scaled(np.empty(0), 2.0).shape == (0,)
    assert patterns.shifted(np.empty(0), 2, "a").shape == (0,)


def test_infinity_gives_no_warning(patterns: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert patterns.scaled(np.array([1e308]), 10.0).tolist() == [np.inf]
        assert np.isnan(patterns.scaled(np.array([np.inf]), 0.0)).all()
