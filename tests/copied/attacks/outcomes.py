"""What a call did: the faults of its result, of its exception, and of the memory that it leaves."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Attack = Callable[[], Iterator[str]]
"""Yields a line for each fault."""
LEAKED = 1000


class Refused:
    """The outcome of a call that raised an exception."""

    def __repr__(self) -> str:
        return "an exception"


REFUSED = Refused()


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a call returns, or REFUSED."""
    try:
        return function(*arguments)
    except SystemError as error:
        return error
    except Exception:
        return REFUSED
    except BaseException as error:  # a panic of Rust, for example
        return error


def same(got: Any, expected: Any) -> bool:
    """Return True if a call was refused or its result is right."""
    if got is REFUSED:
        return True
    if expected is None or isinstance(got, BaseException):
        return False
    return np.shape(got) == np.shape(expected) and np.allclose(got, expected, rtol=1e-12, atol=0)


def raises(error: str, function: Callable[..., Any], *arguments: Any) -> Iterator[str]:
    """Yield a fault unless the call raises this error: `ValueError: alpha must be ...`."""
    try:
        got = function(*arguments)
    except Exception as raised:
        if f"{type(raised).__name__}: {raised}" != error:
            yield f"{raised!r}, not {error}"
    else:
        yield f"{got!r:.80}, not {error}"


class Mallinfo2(ctypes.Structure):
    """glibc's struct mallinfo2."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in ("arena", "b", "c", "d", "mapped", "f", "g", "used", "i", "j")
    ]


def in_use() -> tuple[int, int]:
    """Return the bytes that malloc has given out, and the blocks of Python's own allocator."""
    gc.collect()
    mallinfo2 = getattr(ctypes.CDLL(None), "mallinfo2", Mallinfo2)  # only glibc has it
    mallinfo2.restype = Mallinfo2
    found = mallinfo2()
    return found.used + found.mapped, sys.getallocatedblocks()


def leaks(call: Callable[..., Any], *arguments: Any) -> Iterator[str]:
    """Yield a fault if repeated calls use more and more memory."""
    for _ in range(LEAKED // 5):
        outcome(call, *arguments)
    before = in_use()
    for _ in range(LEAKED):
        outcome(call, *arguments)
    grown = [new - old for new, old in zip(in_use(), before, strict=True)]
    if grown[0] > 12 * LEAKED or grown[1] > LEAKED // 2:
        yield f"{LEAKED} calls leave {grown[0]} bytes and {grown[1]} blocks"
