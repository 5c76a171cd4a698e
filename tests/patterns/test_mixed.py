"""Arguments of several kinds: every binding gives the same answers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.backends import REFUSALS, open_backends

pytestmark = pytest.mark.part("patterns")

int64 = st.integers(-(2**63), 2**63 - 1)
number = st.floats(allow_nan=False, allow_infinity=False, width=32)
text = st.text(st.characters(exclude_categories=["Cs"]))
NO_ARRAYS = [
    [1.0, 2.0],
    None,
    np.arange(3),
    np.arange(3.0, dtype=np.float32),
    np.ones((2, 2)),
    np.arange(6.0)[::2],
    np.arange(3.0).astype(">f8"),
    np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64),
]


@settings(max_examples=50, deadline=None)
@given(a=int64, x=number, words=text, floats=st.lists(number))
def test_in_every_backend(a: int, x: float, words: str, floats: list[float]) -> None:
    values, utf8 = np.array(floats, float), words.encode()
    for name, binding in open_backends("patterns"):
        patterns = binding.patterns
        assert patterns.score(words, a, x) == float(sum(utf8)) + float(a) + x, name
        assert patterns.scaled(values, x).tolist() == [value * x for value in floats], name


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


@pytest.mark.parametrize("values", NO_ARRAYS, ids=repr)
def test_what_is_not_an_array(patterns: Any, values: Any) -> None:
    with pytest.raises(REFUSALS):
        patterns.scaled(values, 2.0)


@pytest.mark.parametrize(
    ("pattern", "arguments"),
    [
        ("score", ("a", 1)),
        ("score", (b"a", 1, 2.0)),
        ("score", ("\ud800", 1, 2.0)),
        ("score", ("a", 1.5, 2.0)),
        ("score", ("a", 2**63, 2.0)),
        ("score", ("a", 1, "2")),
        *(("scaled", (np.ones(3), x)) for x in ("2", None, 2j)),
    ],
    ids=str,
)
def test_what_does_not_convert(patterns: Any, pattern: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSALS):
        getattr(patterns, pattern)(*arguments)
