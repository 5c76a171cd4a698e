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

import sys
from collections.abc import Callable
from typing import Any

import numpy.typing as npt
import torch

from ffi_cookbook.bindings._glue.arrays import byte_view
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


# Python has only this private name for the guard, which is public in C++.
_untracked = torch._C._AutoDispatchBelowADInplaceOrView


def on_arrays(op: torch._ops.OpOverload) -> Callable[..., Any]:
    """Return the op for tensors of arrays' memory.

    A tensor that `borrowed` makes for one call is in no graph: its versions need not be counted.
    """

    def untracked(*arguments: Any, **options: Any) -> Any:
        with _untracked():
            return op(*arguments, **options)

    return untracked


def track_writes(op: torch._ops.OpOverload) -> None:
    """Make the op count a new version of each tensor that it writes to, as torch's own ops do.

    Autograd refuses a backward pass through a tensor whose version has changed since it was saved.
    The op has no gradient, so it refuses tensors that require one, like torch's functions with
    out=. An operator made by torch.library.custom_op counts versions, and refuses nothing.
    """
    written = [i for i, argument in enumerate(op._schema.arguments) if argument.is_write]

    def tracked(keyset: torch._C.DispatchKeySet, *arguments: Any, **options: Any) -> Any:
        if torch.is_grad_enabled() and torch._C._any_requires_grad(*arguments):
            raise RuntimeError(
                f"{op}: functions that write to an argument don't support automatic "
                "differentiation, but one of the arguments requires grad"
            )
        for i in written:
            torch.autograd.graph.increment_version(arguments[i])
        with _untracked():
            below = keyset & torch._C._after_ADInplaceOrView_keyset
            return op.redispatch(below, *arguments, **options)

    _tracked.impl(op, tracked, "ADInplaceOrView", with_keyset=True)


def count_operations(formula: Callable[..., int], *ops: torch._ops.OpOverloadPacket) -> None:
    """Tell torch's counter the operations of ops, which depend on the shapes of the arguments."""
    # The counter imports triton, which would turn the GIL on where it is off.
    if "torch.utils.flop_counter" in sys.modules or getattr(sys, "_is_gil_enabled", lambda: True)():
        from torch.utils.flop_counter import flop_registry, register_flop_formula

        if ops[0] not in flop_registry:  # the page may be imported again
            register_flop_formula([*ops])(formula)


_tracked = torch.library.Library("ffi_cookbook", "IMPL")
for _name in torch._C._dispatch_get_all_op_names():
    _namespace, _, _op = _name.partition("::")
    if _namespace == "ffi_cookbook":
        _overload = getattr(ops, _op).default
        if _overload._schema.is_mutable:
            track_writes(_overload)


def borrowed_bytes(name: str, buffer: Buffer) -> torch.Tensor:
    """Return the memory of any C-contiguous buffer as a tensor of uint8."""
    return borrowed(byte_view(name, buffer))
