"""The idioms of torch's documentation, where they let more pass than the other pages do.

Shows:  an op by its name in torch.ops. The arrays are in arrays.py.
Build:  bindings/torch/patterns/*.cpp.
Bites:  an op's name is looked up at every call. Each function's docstring says what it lets pass.
"""

from __future__ import annotations

import torch

from ffi_cookbook.bindings.torch.patterns import arrays


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


def list_in(values: list[float], /) -> float:
    """Make a tensor of the list, which reads every item twice."""
    return torch.ops.ffi_cookbook.array_in(torch.tensor(tuple(values), dtype=torch.float64))


array_in = arrays.idiomatic_array_in
array_inplace = arrays.idiomatic_array_inplace
