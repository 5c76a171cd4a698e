"""The idioms of torch's documentation, where they let more pass than the other pages do.

Shows:  an op by its name in torch.ops; an array as a tensor by torch.from_numpy; a C function made
        an op in Python by torch.library.custom_op.
Build:  bindings/torch/patterns/*.cpp.
Bites:  an op's name is looked up at every call. Each function's docstring says what it lets pass.
"""

from __future__ import annotations

import ctypes
from math import ldexp

import torch
from ffi_cookbook_torch import LIBRARY

from ffi_cookbook.bindings.protocol.arrays import Floats

_sum_floats = ctypes.CDLL(str(LIBRARY)).ck_sum_floats
_sum_floats.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_sum_floats.restype = ctypes.c_double


def noop() -> None:
    """Look the op up by name and its overload by the arguments, as the next functions do."""
    torch.ops.ffi_cookbook.noop()


def int_in(a: int, /) -> None:
    """Take a tensor of one item too, and refuse with RuntimeError."""
    torch.ops.ffi_cookbook.int_in(a)


def add_int(a: int, b: int, /) -> int:
    """Take tensors of one item too, and refuse with RuntimeError."""
    return torch.ops.ffi_cookbook.add_int(a, b)


def add_float(a: float, b: float, /) -> float:
    """Take tensors of one item too, and refuse with RuntimeError."""
    return torch.ops.ffi_cookbook.add_float(a, b)


def str_in(text: str, /) -> int:
    """Take bytes and bytearray too."""
    return torch.ops.ffi_cookbook.str_in(text)


@torch.library.custom_op("ffi_cookbook_idiomatic::sum_floats", mutates_args=(), device_types="cpu")
def _custom_op(values: torch.Tensor) -> float:
    values = values.double().contiguous()
    return _sum_floats(values.data_ptr(), values.numel())


def array_in(values: Floats, /) -> float:
    """Call an op that is written in Python: several of torch's functions run around every call."""
    return _custom_op(torch.from_numpy(values))


def array_inplace(values: Floats, factor: float, /) -> None:
    """Refuse a wrong dtype or layout with RuntimeError."""
    factor = ldexp(factor, 0)  # first: it can run code
    if not values.flags.writeable:  # from_numpy only warns
        raise ValueError("values must be writable")
    torch.ops.ffi_cookbook.array_inplace(torch.from_numpy(values), factor)


def list_in(values: list[float], /) -> float:
    """Make a tensor of the list, which reads every item twice."""
    return torch.ops.ffi_cookbook.array_in(torch.tensor(tuple(values), dtype=torch.float64))
