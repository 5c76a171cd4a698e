"""Arguments of several kinds: every binding gives the same answers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.part("patterns")


def test_a_float_is_rounded_once(patterns: Any) -> None:
    assert type(patterns.score("", 1, 2)) is float
    assert patterns.score("a", 2**53 + 1, 0.0) == 2.0**53 + 96  # 2**53 as a double, plus 97


def test_new_arrays(patterns: Any) -> None:
    values = np.arange(3.0)
    values.flags.writeable = False
    made = patterns.scaled(values, 1)
    assert type(made) is np.ndarray
    assert made.dtype == np.float64
    assert made.flags.carray
    assert not np.shares_memory(made, values)
    made[:] = 7
    assert values.tolist() == [0.0, 1.0, 2.0]
    assert patterns.scaled(np.empty(0), 2.0).shape == (0,)


def test_infinity_gives_no_warning(patterns: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert patterns.scaled(np.array([1e308]), 10.0).tolist() == [np.inf]
        assert np.isnan(patterns.scaled(np.array([np.inf]), 0.0)).all()
