"""Calling back, failing and being interrupted, through torch.

Shows:  an op declared in C++ and implemented in Python: C++ calls it by its name, like any other
        op, and the dispatcher takes the GIL for it; long work cut into ops.
Build:  bindings/torch/patterns/calls.cpp.
Bites:  no schema can pass a function: it waits in a context variable, of which each thread and task
        has its own. An exception in the inner op would come out of the outer one as a RuntimeError
        that quotes it: it is saved here and raised again after the call. The stable ABI cannot
        check for signals: the interpreter does, between two slices.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from math import ldexp
from operator import index

import torch

from ffi_cookbook.bindings._glue.arrays import int32, int64
from ffi_cookbook.bindings.errors import PatternError
from ffi_cookbook.bindings.torch.library import ops

__all__ = ["callback", "error", "error_fields", "interruptible"]

# ---- calling back --------------------------------------------------------------------------

_callback = ops.callback.default


class _Call:
    """One call of a Python function from C++: the function, and its exception."""

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function = function
        self.raised: BaseException | None = None


_innermost: ContextVar[_Call] = ContextVar("_innermost")


@torch.library.impl("ffi_cookbook::call_python", "CompositeExplicitAutograd")
def _call_python(x: float) -> float:
    call = _innermost.get()
    if call.raised is not None:  # C may call again: the first exception is the one to pass on
        return 0.0
    try:
        return ldexp(call.function(x), 0)  # unlike float(), takes no str
    except BaseException as error:
        call.raised = error
        return 0.0


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Return function(x) + 1."""
    x, call = ldexp(x, 0), _Call(function)
    token = _innermost.set(call)
    try:
        result = _callback(x)
    finally:
        _innermost.reset(token)
    if call.raised is None:
        return result
    try:
        raise call.raised
    finally:
        call.raised = None  # its traceback holds this frame, which holds `call`


# ---- failing -------------------------------------------------------------------------------

_error, _error_fields = ops.error.default, ops.error_fields.default


def error(code: int, /) -> None:
    """Raise ValueError if the native function fails."""
    status = _error(int32(code))
    if status != 0:
        raise ValueError(f"native call failed with code {status}")


def error_fields(code: int, offset: int, /) -> None:
    """Raise PatternError if the native function fails."""
    failed, where = _error_fields(int32(code), int64(offset))
    if failed != 0:
        raise PatternError(failed, where)


# ---- long work -----------------------------------------------------------------------------

_work = ops.work.default
_SLICE = 65536  # rounds


def interruptible(rounds: int, /) -> int:
    """Return the state of xorshift64 after some rounds, unless Ctrl-C stops it."""
    rounds, state = index(rounds), 1
    if not 0 <= rounds < 2**63:
        raise ValueError(f"rounds must be 0 to 2**63 - 1, not {rounds}")
    for done in range(0, max(rounds, 1), _SLICE):  # one call at least, even for zero rounds
        state = _work(state, min(_SLICE, rounds - done))
    return state % 2**64  # a schema's int is signed
