"""Arrays through torch: tensors of memory that stays NumPy's.

Shows:  an array lent for the call; a new array made by NumPy and filled by the op, which costs less
        than a tensor seen as an array; DLPack, taken in by NumPy and lent to torch.
Build:  bindings/torch/probes/arrays.cpp.
Bites:  no tensor has negative strides: an array that runs backwards is copied before it is lent. No
        tensor is read-only either, so ask before an op writes. torch.from_dlpack refuses a tensor
        with a byte_offset, which DLPack allows.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bindings.torch.library import lend, ops

Floats = npt.NDArray[np.float64]

# ---- arguments -----------------------------------------------------------------------------


def vector(values: Floats) -> Floats:
    """The array, if it is 1-D, aligned and of float64, with any stride."""
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        raise TypeError("expected a float64 array")
    if values.ndim != 1 or not values.flags.aligned:
        raise ValueError("expected one dimension, aligned")
    return values


def contiguous(values: Floats) -> Floats:
    """The array, if it is a vector without gaps."""
    if not vector(values).flags.c_contiguous:
        raise ValueError("expected a C-contiguous array")
    return values


# ---- arrays --------------------------------------------------------------------------------

_array_in, _strided_in = ops.array_in.default, ops.strided_in.default
_array_out, _array_map = ops.array_out.default, ops.array_map.default
_array_inplace = ops.array_inplace.default


def array_in(values: Floats, /) -> float:
    return _array_in(lend(contiguous(values)))


array_in_nogil = array_in  # the dispatcher always releases the GIL


def strided_in(values: Floats, /) -> float:
    return _strided_in(lend(vector(values)))


def array_out(n: int, /) -> Floats:
    values = np.empty(index(n))  # ValueError when n < 0
    _array_out(torch.from_numpy(values))
    return values


def array_map(values: Floats, /) -> Floats:
    out = np.empty(contiguous(values).size)
    _array_map(lend(values), torch.from_numpy(out))
    return out


def array_inplace(values: Floats, factor: float, /) -> None:
    if not contiguous(values).flags.writeable:
        raise ValueError("expected a writable array")
    try:
        _array_inplace(lend(values), factor)
    except RuntimeError as error:
        raise TypeError(str(error)) from None


# ---- tensors of any library ----------------------------------------------------------------


def dlpack_in(values: Any, /) -> float:
    try:
        array = np.from_dlpack(values)
    except (AttributeError, BufferError, RuntimeError) as error:
        raise TypeError(str(error)) from None
    return array_in(array)
