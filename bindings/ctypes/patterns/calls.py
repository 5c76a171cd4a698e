"""Calling back, failing and being interrupted, through ctypes.

Shows:  one C callback for every Python function, which travels as the context; its exception
        carried past C; error codes and structs turned into exceptions; work in slices.
Build:  nothing but the shared library.
Bites:  an exception that leaves a callback is printed and forgotten, and so is a result that does
        not convert. C may keep a callback, but does not keep it alive. Python looks for Ctrl-C only
        between its own bytecodes, not while C runs. Then it is raised before the first line of the
        callback, where no `try` can keep it: it is printed, and C goes on with 0.0.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_double, c_int, c_int64, c_uint64, py_object
from math import ldexp
from typing import Any

from ffi_cookbook.bindings._glue.arrays import int32, int64
from ffi_cookbook.bindings.ctypes.library import declare, lib, lib_gil
from ffi_cookbook.bindings.errors import PatternError

__all__ = ["callback", "error", "error_fields", "interruptible"]

# ---- callback ------------------------------------------------------------------------------

_CALLBACK = CFUNCTYPE(c_double, c_double, py_object)
_call = declare(lib_gil, "ck_call", c_double, _CALLBACK, py_object, c_double)


@_CALLBACK
def _call_python(x: float, context: Any) -> float:
    function, raised = context
    if raised:  # C may call again: the first exception is the one to pass on
        return 0.0
    try:
        return ldexp(function(x), 0)  # unlike float(), takes no str
    except BaseException as error:  # the C code between cannot carry it
        raised.append(error)
        return 0.0


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Return function(x) + 1."""
    raised: list[BaseException] = []
    result = _call(_call_python, (function, raised), ldexp(x, 0))
    if raised:
        raise raised.pop()
    return result


# ---- errors --------------------------------------------------------------------------------


class _Failure(Structure):
    """ck_failure."""

    _fields_ = [("code", c_int), ("offset", c_int64)]


_fail = declare(lib_gil, "ck_fail", c_int, c_int)
_fail_at = declare(lib_gil, "ck_fail_at", c_int, c_int, c_int64, POINTER(_Failure))


def error(code: int, /) -> None:
    """Raise ValueError if the native function fails."""
    status = _fail(int32(code))
    if status != 0:
        raise ValueError(f"native call failed with code {status}")


def error_fields(code: int, offset: int, /) -> None:
    """Raise PatternError if the native function fails."""
    failure = _Failure()
    if _fail_at(int32(code), int64(offset), failure) != 0:
        raise PatternError(failure.code, failure.offset)


# ---- long work -----------------------------------------------------------------------------

_SLICE = 65536
_work = declare(lib, "ck_work", c_uint64, c_uint64, c_uint64)  # CDLL: without the GIL


def interruptible(rounds: int, /) -> int:
    """Return the state of xorshift64 after some rounds, unless Ctrl-C stops it."""
    rounds, state = int64(rounds), 1
    if rounds < 0:
        raise ValueError(f"rounds must not be negative: {rounds}")
    for done in range(0, max(rounds, 1), _SLICE):  # one call at least, even for zero rounds
        state = _work(state, min(_SLICE, rounds - done))
    return state
