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


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


@settings(max_examples=50, deadline=None)
@given(
    a=int64,
    b=int64,
    c=int64,
    x=number,
    words=text,
    data=st.binary(),
    mark=st.integers(0, 255),
    floats=st.lists(number),
)
def test_in_every_backend(
    a: int, b: int, c: int, x: float, words: str, data: bytes, mark: int, floats: list[float]
) -> None:
    values, utf8 = np.array(floats, float), words.encode()
    shift = float(a) + float(sum(utf8))
    for name, binding in open_backends("patterns"):
        patterns = binding.patterns
        assert patterns.add_three(a, b, c) == wrap(a + b + c), name
        assert patterns.score(words, a, x) == float(sum(utf8)) + float(a) + x, name
        assert patterns.stamp(data, mark) == bytes(byte ^ mark for byte in data), name
        assert patterns.scaled(values, x).tolist() == [value * x for value in floats], name
        assert patterns.shifted(values, a, words).tolist() == [v + shift for v in floats], name


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


@pytest.mark.parametrize("values", NO_ARRAYS, ids=repr)
def test_what_is_not_an_array(patterns: Any, values: Any) -> None:
    with pytest.raises(REFUSALS):
        patterns.scaled(values, 2.0)
    with pytest.raises(REFUSALS):
        patterns.shifted(values, 1, "a")


@pytest.mark.parametrize(
    ("pattern", "arguments"),
    [
        ("add_three", (1, 2)),
        ("add_three", (1, 2, 3.0)),
        ("add_three", (1, 2**63, 3)),
        ("score", ("a", 1)),
        ("score", (b"a", 1, 2.0)),
        ("score", ("\ud800", 1, 2.0)),
        ("score", ("a", 1.5, 2.0)),
        ("score", ("a", 2**63, 2.0)),
        ("score", ("a", 1, "2")),
        *(("stamp", (b"a", x)) for x in (-1, 256, 2**8 + 7, 2**32, 2**63, 2**64, 1.5, "7", None)),
        ("stamp", (b"", -1)),
        ("stamp", (b"", 256)),
        *(("stamp", (x, 7)) for x in ("a", None, 3, [1])),
        *(("scaled", (np.ones(3), x)) for x in ("2", None, 2j)),
        *(("shifted", (np.ones(3), x, "a")) for x in (1.5, "1", 2**63)),
        *(("shifted", (np.ones(3), 1, x)) for x in (b"a", None, "\ud800")),
    ],
    ids=str,
)
def test_what_does_not_convert(patterns: Any, pattern: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSALS):
        getattr(patterns, pattern)(*arguments)
