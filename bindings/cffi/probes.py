"""The cost ledger through cffi: one function a pattern, each the shortest right way.

Shows:  scalars, text, bytes, arrays and lists handed to C; a callback by `extern "Python"`, which
        needs no code made at run time; an error code turned into an exception.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  every call releases the GIL, there is no way to hold it; an exception in a callback is
        printed and forgotten unless onerror= takes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cffi
import numpy as np
import numpy.typing as npt

from bindings.cffi.library import ffi, lib


def about() -> dict[str, str]:
    """What this door is made with."""
    return {
        "technology": f"cffi {cffi.__version__}",
        "compiler": ffi.string(lib.ck_compiler()).decode(),
        "kernel": "C",
        "isa": ffi.string(lib.ck_isa()).decode(),
    }


# ---- no argument ---------------------------------------------------------------------------

noop = lib.ck_noop  # cffi always releases the GIL
noop_nogil = lib.ck_noop

# ---- scalars -------------------------------------------------------------------------------

add_int = lib.ck_add_int
add_float = lib.ck_add_float
six_scalars = lib.ck_six_scalars


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    return lib.ck_keywords(x, scale, offset)


# ---- memory --------------------------------------------------------------------------------


def str_in(text: str, /) -> int:
    data = str.encode(text)  # TypeError unless it is a str
    return lib.ck_sum_bytes(data, len(data))


def bytes_in(data: bytes, /) -> int:
    if not isinstance(data, bytes):
        raise TypeError(f"expected bytes, not {type(data).__name__}")
    return lib.ck_sum_bytes(data, len(data))


def array_in(values: npt.NDArray[np.float64], /) -> float:
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        raise TypeError("expected a float64 array")
    if values.ndim != 1 or not values.flags.c_contiguous or not values.flags.aligned:
        raise ValueError("expected one dimension, C-contiguous, aligned")
    return lib.ck_sum_floats(ffi.from_buffer("double[]", values), values.size)


def array_out(n: int, /) -> npt.NDArray[np.float64]:
    values = np.empty(n)  # ValueError when n < 0
    lib.ck_iota(ffi.from_buffer("double[]", values, require_writable=True), n)
    return values


def list_in(values: list[float], /) -> float:
    if not isinstance(values, list):
        raise TypeError(f"expected a list, not {type(values).__name__}")
    items = tuple(values)  # an item's __float__ could change the list under cffi
    return lib.ck_sum_floats(items, len(items))  # cffi makes the C array


# ---- calls ---------------------------------------------------------------------------------


class _Call:
    """One call of a Python function from C: the function, and what it raised."""

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function = function
        self.raised: BaseException | None = None


def _keep(_type: Any, error: BaseException, traceback: Any) -> None:
    ffi.from_handle(traceback.tb_frame.f_locals["context"]).raised = error


@ffi.def_extern(onerror=_keep)
def call_python(x: float, context: Any) -> float:
    return math.ldexp(ffi.from_handle(context).function(x), 0)  # unlike float(), takes no str


def callback(function: Callable[[float], float], x: float, /) -> float:
    call = _Call(function)
    handle = ffi.new_handle(call)  # keeps `call` alive until the kernel is done
    result = lib.ck_call(lib.call_python, handle, x)
    if call.raised is None:
        return result
    try:
        raise call.raised
    finally:
        call.raised = None  # its traceback holds this frame, which holds `call`


def error(code: int, /) -> None:
    status = lib.ck_fail(code)
    if status != 0:
        raise ValueError(f"native call failed with code {status}")
