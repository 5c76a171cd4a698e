"""Callbacks and failing calls: exceptions come out unchanged."""

from __future__ import annotations

import ctypes
import signal
from functools import partial
from typing import Any

import pytest

from ffi_cookbook.bindings.errors import PatternError

pytestmark = pytest.mark.part("patterns")


class Oops(Exception):
    """An exception that no binding knows."""


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


def test_ctrl_c_while_c_runs_comes_out_of_a_callback(patterns: Any) -> None:
    """Python sees the signal when it enters the function that C calls."""
    signals = ctypes.CDLL(None)["raise"]  # C code, which Python does not interrupt
    signals.restype = ctypes.c_double
    number = type("Number", (), {"__float__": staticmethod(partial(signals, signal.SIGINT))})
    with pytest.raises(KeyboardInterrupt):
        patterns.callback(lambda x: x, number())
    assert patterns.callback(lambda x: x, 1.0) == 2.0


def test_callbacks_nest(patterns: Any) -> None:
    def inner(x: float) -> float:
        return patterns.callback(lambda y: y * 10, x)

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
