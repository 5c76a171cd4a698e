"""The descriptions of the operators that torch.compile and torch.export need.

Shows:  fake kernels, which compute the shapes of the results from the shapes of the arguments and
        run nothing.
Bites:  a fake kernel that promises more than the real one makes compiled programs silently wrong.
        torch.library.opcheck compares the two.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.library import register_fake

from ffi_cookbook.bindings.torch.library import ops

# ---- matmul --------------------------------------------------------------------------------


def _product_shape(a: Tensor, b: Tensor, threads: int) -> tuple[int, ...]:
    dims = (a.dim(), b.dim())
    torch._check({*dims} <= {2, 3}, lambda: f"a and b must have 2 or 3 dimensions, not {dims}")
    torch._check(a.dtype == b.dtype, lambda: "a and b must have one dtype")
    floats = (torch.float32, torch.float64)
    torch._check(a.dtype in floats, lambda: f"a must be float32 or float64, not {a.dtype}")
    torch._check(threads >= 1, lambda: f"threads must be at least 1, not {threads}")
    torch._check(a.device == b.device, lambda: "a and b must be on one device")
    torch._check(a.shape[-1] == b.shape[-2], lambda: "a must have as many columns as b has rows")
    return *torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]


@register_fake(ops.matmul.default)
def _(a: Tensor, b: Tensor, *, threads: int = 1) -> Tensor:
    return a.new_empty(_product_shape(a, b, threads))


@register_fake(ops.matmul_out.default)
def _(a: Tensor, b: Tensor, out: Tensor, *, threads: int = 1) -> None:
    shape = _product_shape(a, b, threads)
    torch._check(out.dtype == a.dtype, lambda: "out must have the dtype of a and b")
    torch._check(out.device == a.device, lambda: "out must be on the device of a and b")
    torch._check(out.shape == shape, lambda: f"out must have shape {shape}, not {out.shape}")
    torch._check(out.is_contiguous(), lambda: "out must be contiguous")
