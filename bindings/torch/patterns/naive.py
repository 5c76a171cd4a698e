"""What is commonly written with torch, and paid for.

Shows:  the slow spellings of what the other pages do.
Build:  nothing more to build.
Bites:  all of it is right: only a clock tells.
"""

from __future__ import annotations

import ctypes

import torch
from ffi_cookbook_torch import LIBRARY

from bindings.torch.library import lend, ops
from bindings.torch.patterns.arrays import Floats, contiguous

_str_in, _bytes_in = ops.str_in.default, ops.bytes_in.default
_array_in, _array_out = ops.array_in.default, ops.array_out.default
_array_inplace = ops.array_inplace.default

_sum_floats = ctypes.CDLL(str(LIBRARY)).ck_sum_floats
_sum_floats.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_sum_floats.restype = ctypes.c_double


def noop() -> None:
    """Names the op from the root and not its overload: three attributes and a search for every
    call."""
    torch.ops.ffi_cookbook.noop()


def bytes_in(data: bytes, /) -> int:
    """Makes a tensor of a list of the bytes: an object and a conversion for each."""
    return _bytes_in(torch.tensor(list(data), dtype=torch.uint8))


@torch.library.custom_op("ffi_cookbook_naive::sum_floats", mutates_args=(), device_types="cpu")
def _custom_op(values: torch.Tensor) -> float:
    values = values.double().contiguous()
    return _sum_floats(values.data_ptr(), values.numel())


def array_in(values: Floats, /) -> float:
    """Wraps a C function in Python with custom_op: layers of torch's Python around every call."""
    return _custom_op(lend(contiguous(values)))


def array_out(n: int, /) -> Floats:
    """Has torch make the memory and NumPy borrow it: both take longer than the other way round."""
    values = torch.empty(n, dtype=torch.float64)
    _array_out(values)
    return values.numpy()


def array_inplace(values: Floats, factor: float, /) -> None:
    """Copies the array into a tensor and back, where the tensor could have been its memory."""
    copy = torch.tensor(contiguous(values))
    _array_inplace(copy, factor)
    values[:] = copy.numpy()


def list_in(values: list[float], /) -> float:
    """Makes a tensor of the list, which looks at every item twice, for an op that could take a
    list."""
    return _array_in(torch.tensor(values, dtype=torch.float64))


def list_out(n: int, /) -> list[float]:
    """Loops over a tensor: every item is a tensor of its own before item() makes a float of it."""
    values = torch.empty(n, dtype=torch.float64)
    _array_out(values)
    return [value.item() for value in values]


def strings_in(texts: list[str], /) -> int:
    """Calls an op for every item: the border is crossed as often."""
    return sum(_str_in(text) for text in texts)
