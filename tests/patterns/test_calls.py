"""Callbacks and failing calls: exceptions come out unchanged."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import PatternError
from support.backends import REFUSALS, open_backends
from support.labels import label

pytestmark = pytest.mark.part("patterns")


class Oops(Exception):
    """An exception that no binding knows."""


def give(result: object, _: float) -> object:
    return result


@settings(max_examples=50, deadline=None)
@given(x=st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_callback_in_every_backend(x: float) -> None:
    for name, binding in open_backends("patterns"):
        assert binding.patterns.callback(lambda value: value * 2, x) == x * 2 + 1, name


def test_a_callback_may_raise(patterns: Any, capfd: pytest.CaptureFixture[str]) -> None:
    oops = Oops("from Python")

    def raises(x: float) -> float:
        raise oops

    for _ in range(3):
        with pytest.raises(Oops) as caught:
            patterns.callback(raises, 1.0)
        assert caught.value is oops
    assert capfd.readouterr() == ("", "")
    with pytest.raises(KeyboardInterrupt):
        patterns.callback(lambda x: (_ for _ in ()).throw(KeyboardInterrupt), 1.0)
    assert patterns.callback(lambda x: x, 1.0) == 2.0


def test_callbacks_nest(patterns: Any) -> None:
    def inner(x: float) -> float:
        return patterns.callback(lambda y: y * 10, x)  # type: ignore[no-any-return]

    assert patterns.callback(inner, 2.0) == 22.0


def test_error(patterns: Any) -> None:
    assert patterns.error(0) is None
    for code in (7, -3, 2**31 - 1, -(2**31)):
        with pytest.raises(ValueError, match=f"^native call failed with code {code}$") as caught:
            patterns.error(code)
        assert type(caught.value) is ValueError


def test_error_fields(patterns: Any) -> None:
    assert patterns.error_fields(0, 40) is None
    for code, offset in ((7, 40), (-3, 2**63 - 1), (2**31 - 1, -(2**63)), (-(2**31), 0)):
        with pytest.raises(
            PatternError, match=f"^failed with code {code} at byte {offset}$"
        ) as why:
            patterns.error_fields(code, offset)
        assert type(why.value) is PatternError
        assert (why.value.code, why.value.offset) == (code, offset)
        assert why.value.args == (code, offset)


@pytest.mark.parametrize(
    ("pattern", "arguments"),
    [
        ("callback", (None, 1.0)),
        ("callback", (float, "x")),
        ("callback", (float,)),
        *(("callback", (partial(give, y), 1.0)) for y in ("text", "1.5", b"1", None, 1j, 10**400)),
        ("callback", (lambda: 1.0, 1.0)),
        *(("error", (x,)) for x in (2**31, 2**32, -(2**31) - 1, 2**64, "1", 1.5, None)),
        *(("error_fields", (x, 0)) for x in (2**31, 2**32, 2**64, "1", 1.5, None)),
        *(("error_fields", (7, x)) for x in (2**63, -(2**63) - 1, 2**64, "1", 1.5, None)),
        ("error_fields", (0, 2**64)),
        ("error_fields", (0,)),
        ("error", ()),
    ],
    ids=label,
)
def test_what_does_not_convert(patterns: Any, pattern: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSALS) as caught:
        getattr(patterns, pattern)(*arguments)
    assert not isinstance(caught.value, PatternError)
    assert "native call failed" not in str(caught.value)
