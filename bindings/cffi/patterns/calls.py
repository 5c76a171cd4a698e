"""Calling back, failing and being interrupted, through cffi.

Shows:  one C callback for every Python function, by `extern "Python"`, which needs no code made at
        run time; its exception carried past C; error codes and structs turned into exceptions; work
        in slices.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  an exception that leaves a callback is printed and forgotten, unless `onerror` takes it, and
        so is a result that does not convert; C goes on with the result `error`. A handle keeps
        nothing alive in C: keep it until the call returns. Python looks for Ctrl-C only between its
        own bytecodes, not while C runs: it may be raised as the first thing in a callback.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ldexp, nan
from operator import index
from typing import Any

from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.errors import PatternError

__all__ = ["callback", "error", "error_fields", "interruptible"]

# ---- callback ------------------------------------------------------------------------------

_call = lib.ck_call


def _keep(kind: type, error: BaseException, traceback: Any) -> None:
    """Keep the exception that ended call_python, even a Ctrl-C before its first line."""
    _, raised = ffi.from_handle(traceback.tb_frame.f_locals["context"])
    raised.append(error)


@ffi.def_extern(error=nan, onerror=_keep)
def call_python(x: float, context: Any) -> float:
    """Call the Python function of the context."""
    function, raised = ffi.from_handle(context)
    if raised:  # C may call again: the first exception is the one to pass on
        return nan
    return ldexp(function(x), 0)  # unlike float(), takes no str


_call_python = lib.call_python


def callback(function: Callable[[float], float], x: float, /) -> float:
    """Return function(x) + 1."""
    raised: list[BaseException] = []
    handle = ffi.new_handle((function, raised))
    result = _call(_call_python, handle, x)
    if raised:
        raise raised.pop()
    return result


# ---- errors --------------------------------------------------------------------------------

_FAILURE = ffi.typeof("ck_failure *")
_fail = lib.ck_fail
_fail_at = lib.ck_fail_at


def error(code: int, /) -> None:
    """Raise ValueError if the native function fails."""
    status = _fail(index(code))
    if status != 0:
        raise ValueError(f"native call failed with code {status}")


def error_fields(code: int, offset: int, /) -> None:
    """Raise PatternError if the native function fails."""
    failure = ffi.new(_FAILURE)
    if _fail_at(index(code), index(offset), failure) != 0:
        raise PatternError(failure.code, failure.offset)


# ---- long work -----------------------------------------------------------------------------

_SLICE = 65536
_work = lib.ck_work


def interruptible(rounds: int, /) -> int:
    """Return the state of xorshift64 after some rounds, unless Ctrl-C stops it."""
    rounds, state = index(rounds), 1
    if not 0 <= rounds < 2**63:
        raise ValueError(f"rounds must be 0 to 2**63 - 1, not {rounds}")
    for done in range(0, max(rounds, 1), _SLICE):  # one call at least, even for zero rounds
        state = _work(state, min(_SLICE, rounds - done))
    return state
