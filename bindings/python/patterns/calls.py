"""Callbacks, failures and interruptions, in plain Python.

Shows:  the cheapest callback and the cheapest exception there are: no boundary is crossed.
Build:  nothing to build.
Bites:  the interpreter itself checks for Ctrl-C, and lets other threads run, between bytecodes:
        native code must do so itself (`interruptible`), but here it costs nothing more, and cannot
        be left out.
"""

from __future__ import annotations

from collections.abc import Callable

from ffi_cookbook.bindings._glue.arrays import int32, int64
from ffi_cookbook.bindings.errors import PatternError
from ffi_cookbook.bindings.python.patterns.conversions import count, double

__all__ = ["callback", "error", "error_fields", "interruptible"]

_UINT64 = 2**64 - 1


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Return function(x) + 1."""
    return double(function(double(x))) + 1.0


def error(code: int, /) -> None:
    """Raise ValueError if the native function fails."""
    if int32(code) != 0:
        raise ValueError(f"native call failed with code {code}")


def error_fields(code: int, offset: int, /) -> None:
    """Raise PatternError if the native function fails."""
    code, offset = int32(code), int64(offset)
    if code != 0:
        raise PatternError(code, offset)


def interruptible(rounds: int, /) -> int:
    """Return the state of xorshift64 after some rounds, unless Ctrl-C stops it."""
    state = 1
    for _ in range(count(rounds)):
        state ^= state << 13 & _UINT64
        state ^= state >> 7
        state ^= state << 17 & _UINT64
    return state
