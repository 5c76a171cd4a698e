"""Arrays through torch: tensors of memory that stays NumPy's.

Shows:  an array by torch.from_numpy, and a C function made an op in Python by
        torch.library.custom_op, as its documentation has them; an array borrowed for the call; a
        new array made by NumPy and filled by the op, which costs less than viewing a tensor as an
        array; DLPack, taken in by NumPy and passed on to torch.
Build:  bindings/torch/patterns/arrays.cpp.
Bites:  no tensor has negative strides: an array that runs backwards is copied first. No
        tensor is read-only either, so ask before an op writes. torch.from_dlpack refuses a tensor
        with a byte_offset, which DLPack allows.
"""

from __future__ import annotations

import ctypes
from math import ldexp
from operator import index
from typing import Any

import numpy as np
import torch
from ffi_cookbook_torch import LIBRARY

from ffi_cookbook.bindings._glue.arrays import contiguous, from_dlpack, tensor_like, vector
from ffi_cookbook.bindings.protocol.arrays import Floats
from ffi_cookbook.bindings.torch.library import borrowed, on_arrays, ops

__all__ = [
    "array_in",
    "array_in_nogil",
    "array_inplace",
    "array_map",
    "array_out",
    "dlpack_in",
    "scaled",
    "strided_in",
    "tensor_in",
    "tensor_out",
]

# ---- as documented -------------------------------------------------------------------------
# An op in Python takes several of torch's functions around every call; from_numpy takes any dtype
# and refuses an array that runs backwards. The checked forms below call an op in C++ with a tensor
# of what the protocol takes, and refuse the rest as Python does.

_sum_floats = ctypes.CDLL(str(LIBRARY)).ck_sum_floats
_sum_floats.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_sum_floats.restype = ctypes.c_double


@torch.library.custom_op("ffi_cookbook_idiomatic::sum_floats", mutates_args=(), device_types="cpu")
def _custom_op(values: torch.Tensor) -> float:
    values = values.double().contiguous()
    return _sum_floats(values.data_ptr(), values.numel())


def idiomatic_array_in(values: Floats, /) -> float:
    """Call an op that is written in Python: several of torch's functions run around every call."""
    return _custom_op(torch.from_numpy(values))


def idiomatic_array_inplace(values: Floats, factor: float, /) -> None:
    """Refuse a wrong dtype or layout with RuntimeError."""
    factor = ldexp(factor, 0)  # first: it can run code
    if not values.flags.writeable:  # from_numpy only warns
        raise ValueError("values must be writable")
    torch.ops.ffi_cookbook.array_inplace(torch.from_numpy(values), factor)


# ---- arrays --------------------------------------------------------------------------------

_array_in, _strided_in = ops.array_in.default, ops.strided_in.default
_array_out = on_arrays(ops.array_out.default)
_array_map = on_arrays(ops.array_map.default)
_array_inplace = on_arrays(ops.array_inplace.default)
_scaled = on_arrays(ops.scaled.default)


def array_in(values: Floats, /) -> float:
    """Return the sum of a C-contiguous float64 array."""
    return _array_in(borrowed(contiguous(values)))


array_in_nogil = array_in  # the dispatcher always releases the GIL


def strided_in(values: Floats, /) -> float:
    """Return the sum of a float64 array of any stride."""
    return _strided_in(borrowed(vector(values)))


def array_out(n: int, /) -> Floats:
    """Return a new array 0.0, 1.0 ... n - 1."""
    values = np.empty(index(n))  # ValueError when n < 0
    _array_out(torch.from_numpy(values))
    return values


def array_map(values: Floats, /) -> Floats:
    """Return a new array with every item doubled."""
    view = contiguous(values)
    out = np.empty(view.size)
    _array_map(borrowed(view), torch.from_numpy(out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    """Multiply an array in place."""
    factor = ldexp(factor, 0)
    view = contiguous(values)
    if not view.flags.writeable:
        raise ValueError("values must be writable")
    _array_inplace(borrowed(view), factor)


def scaled(values: Floats, factor: float, /) -> Floats:
    """Return a new array, values * factor."""
    factor = ldexp(factor, 0)
    view = contiguous(values)
    out = np.empty(view.size)
    _scaled(borrowed(view), factor, torch.from_numpy(out))
    return out


# ---- tensors of any library ----------------------------------------------------------------


def dlpack_in(values: Any, /) -> float:
    """Return the sum of a float64 tensor of any library."""
    return array_in(from_dlpack(values))


tensor_in = dlpack_in


def tensor_out(like: Any, n: int, /) -> Any:
    """Return a new tensor 0.0, 1.0 ... n - 1 of the library of another."""
    return tensor_like(like, array_out(n))
