"""The library of operators, opened by torch, and memory borrowed as tensors.

Shows:  a shared library without Python: opening it registers its operators, which are then
        attributes of torch.ops; an array's memory as a tensor, which also keeps it alive.
Build:  pip install --no-build-isolation ./bindings/torch
Bites:  torch has no read-only tensors: from_numpy warns of a read-only array, from_dlpack takes it,
        and only the operators' schemas prevent writes. No tensor has negative strides or fractions
        of an element as strides: such an array is copied, unless it is C-contiguous, for which
        numpy ignores the stride of an axis of length 1.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import torch

from ffi_cookbook.bindings._glue.arrays import byte_view
from ffi_cookbook.bindings._glue.arrays import (
    int64 as int64,  # torch would make a RuntimeError of any exception
)
from ffi_cookbook.bindings.protocol import Buffer

try:
    from ffi_cookbook_torch import LIBRARY
except ImportError as error:
    raise ImportError(f"the operators (ffi-cookbook-torch) are not built: {error}") from error

try:
    torch.ops.load_library(str(LIBRARY))
except OSError as error:
    raise ImportError(f"torch {torch.__version__} cannot open the operators: {error}") from error

ops = torch.ops.ffi_cookbook


def borrowed(array: npt.NDArray[Any]) -> torch.Tensor:
    """Return an array's memory as a tensor."""
    for stride in array.strides:
        if stride < 0 or stride % array.itemsize:
            contiguous = array.flags.c_contiguous
            array = array.reshape(-1).reshape(array.shape) if contiguous else array.copy()
            break
    if array.flags.writeable:
        return torch.from_numpy(array)
    return torch.from_dlpack(array.__dlpack__(max_version=(1, 0)))


# A tensor that `borrowed` makes for one call is not in a graph, so its versions need not be
# counted. Python has only this private name for the guard, which is public in C++.
untracked = torch._C._AutoDispatchBelowADInplaceOrView


def count_versions(op: torch._ops.OpOverload) -> None:
    """Make the op count a new version of each tensor that it writes to.

    Autograd refuses a backward pass through a tensor whose version has changed since it was saved.
    torch counts versions for its own operators; torch.library.custom_op does it like this.
    """
    written = [i for i, argument in enumerate(op._schema.arguments) if argument.is_write]
    names = [op._schema.arguments[i].name for i in written]

    def counted(keyset: torch._C.DispatchKeySet, *arguments: Any, **options: Any) -> Any:
        for i, name in zip(written, names, strict=True):
            tensor = arguments[i] if i < len(arguments) else options[name]
            torch.autograd.graph.increment_version(tensor)
        with untracked():
            below = keyset & torch._C._after_ADInplaceOrView_keyset
            return op.redispatch(below, *arguments, **options)

    _counted.impl(op, counted, "ADInplaceOrView", with_keyset=True)


_counted = torch.library.Library("ffi_cookbook", "IMPL")
for _name in (
    "matmul_out",
    "index_records",
    "decode_examples",
    "gather_examples",
    "decode_fixed",
    "bpe_encode_into",
):
    count_versions(getattr(ops, _name).default)


def borrowed_bytes(name: str, buffer: Buffer) -> torch.Tensor:
    """Return the memory of any C-contiguous buffer as a tensor of uint8."""
    return borrowed(byte_view(name, buffer))
