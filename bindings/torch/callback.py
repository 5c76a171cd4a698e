"""A Python function called from C++, through the dispatcher both ways.

Shows:  an op declared in C++ and implemented in Python: C++ calls it by its name, as it would any
        other, and the dispatcher takes the GIL for it. No schema has a place for a function, so
        the one to call waits in a context variable, where each thread and task has its own.
Build:  bindings/torch/probes.cpp.
Bites:  an exception in the inner op would come out of the outer one as a RuntimeError that quotes
        it: it is kept here and raised again behind the call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar

import torch

from bindings.torch.library import ops

_callback = ops.callback.default


class _Call:
    """One call of a Python function from C++: the function, and what it raised."""

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function = function
        self.raised: BaseException | None = None


_innermost: ContextVar[_Call] = ContextVar("_innermost")


@torch.library.impl("ffi_cookbook::call_python", "CompositeExplicitAutograd")
def _call_python(x: float) -> float:
    call = _innermost.get()
    try:
        return math.ldexp(call.function(x), 0)  # unlike float(), takes no str
    except BaseException as error:
        call.raised = error
        return 0.0


def callback(function: Callable[[float], float], x: float, /) -> float:
    call = _Call(function)
    token = _innermost.set(call)
    try:
        result = _callback(x)
    except RuntimeError as error:
        raise TypeError(str(error)) from None
    finally:
        _innermost.reset(token)
    if call.raised is None:
        return result
    try:
        raise call.raised
    finally:
        call.raised = None  # its traceback holds this frame, which holds `call`
