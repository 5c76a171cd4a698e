"""Calling back, failing, and long calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Calls(Protocol):
    """The patterns of bindings/<binding>/patterns/calls."""

    def callback(self, function: Callable[[float], float], x: float, /) -> float:
        """function(x) + 1, called from native code; what function raises comes out unchanged."""

    def error(self, code: int, /) -> None:
        """Raises ValueError("native call failed with code N") when the native function, handed
        `code` (a C int), returns other than 0."""

    def error_fields(self, code: int, offset: int, /) -> None:
        """Raises bindings.errors.PatternError(code, offset), with the fields that the native
        function filled in, when it returns other than 0."""

    def interruptible(self, rounds: int, /) -> int:
        """The state of xorshift64 (shifts 13, 7, 17) after `rounds` rounds from state 1. Long
        work done right: without the GIL, and between slices of 65536 rounds Ctrl-C is honoured
        (KeyboardInterrupt). ValueError or OverflowError (TypeError) when rounds < 0."""
