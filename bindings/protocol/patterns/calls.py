"""Callbacks, failures and long calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Calls(Protocol):
    """The patterns of bindings/<binding>/patterns/calls."""

    def callback(self, function: Callable[[float], float], x: float, /) -> float:
        """Return function(x) + 1, where native code calls the function.

        An exception that the function raises is passed on unchanged.
        """

    def error(self, code: int, /) -> None:
        """Raise ValueError("native call failed with code N") if the native function returns N != 0.

        The native function is called with `code` (a C int) and returns it.
        """

    def error_fields(self, code: int, offset: int, /) -> None:
        """Raise PatternError (ffi_cookbook.bindings.errors) unless the native function returns 0.

        Its fields `code` and `offset` are those that the native function filled in.
        """

    def interruptible(self, rounds: int, /) -> int:
        """Return the state of xorshift64 (shifts 13, 7, 17) after `rounds` rounds from state 1.

        This is how long work should be done: without the GIL, and with a check for Ctrl-C
        (KeyboardInterrupt) between slices of 65536 rounds. When rounds < 0 it raises ValueError or
        OverflowError (in some bindings TypeError).
        """
