"""matmul through torch: numpy arrays in and out, or tensors, which also train and compile.

Shows:  one function for arrays and tensors; derivatives written with the operator itself, which
        therefore have derivatives too; a rule for vmap, the count of products for profilers, the
        dtype under autocast, and fake kernels, which compute shapes and run nothing.
Build:  bindings/torch/matmul.cpp.
Bites:  an Autograd kernel in Python runs around every call of an op, training or not: arrays use
        matmul_out, which has no derivative. Fake kernels are compared with real ones by opcheck.
"""

from __future__ import annotations

from typing import Any, TypeVar

import torch
from torch import Tensor

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.protocol import Matrix
from ffi_cookbook.bindings.torch.derivatives import differentiable
from ffi_cookbook.bindings.torch.library import borrowed, count_operations, on_arrays, ops

Operand = TypeVar("Operand", bound=Matrix | Tensor)

# ---- kernel --------------------------------------------------------------------------------

_FLOATS = (torch.float32, torch.float64)
_matmul = ops.matmul.default  # a named overload needs no search
_matmul_out = ops.matmul_out.default
_fill = on_arrays(_matmul_out)


def matmul(a: Operand, b: Operand, *, out: Operand | None = None, threads: int = 1) -> Operand:
    """Return a @ b, a tensor if they are tensors; see protocol.Backend."""
    if isinstance(a, Tensor):
        threads = check_threads(threads)
        _check_tensors(a, b, out)
        if out is None:
            return _matmul(a, b, threads=threads)
        _matmul_out(a, b, out, threads=threads)
        return out
    x, y, product, threads = check_matmul(a, b, out, threads)
    _fill(borrowed(x), borrowed(y), borrowed(product), threads=threads)
    return product if out is None else out


def _check_tensors(a: Tensor, b: Any, out: Any) -> None:
    """Raise for tensors that the op refuses with RuntimeError."""
    autocast = out is None and torch.is_autocast_enabled("cpu")
    for tensor in (a, b) if out is None else (a, b, out):
        if not isinstance(tensor, Tensor):
            kind = type(tensor).__name__
            raise TypeError(f"a is a torch.Tensor, and so must b and out be, not {kind}")
        if (tensor.dtype not in _FLOATS or tensor.dtype != a.dtype) and not autocast:
            raise TypeError(f"tensors must be all float32 or all float64, not {tensor.dtype}")
        if tensor is out and not torch.compiler.is_compiling() and tensor.is_neg():
            raise ValueError("out must not be a negative view, such as the imag of a conjugate")


# ---- training ------------------------------------------------------------------------------


def _save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)
    ctx.save_for_forward(*inputs)
    ctx.threads = keyword_only_inputs.get("threads", 1)


def _gradients(ctx: Any, grad: Tensor) -> tuple[Tensor | None, Tensor | None]:
    a, b = ctx.saved_tensors
    *_, wants_a, wants_b = ctx.needs_input_grad
    of_a = _matmul(grad, b.mT, threads=ctx.threads).sum_to_size(a.shape) if wants_a else None
    return of_a, _gradient_of_b(a, b, grad, ctx.threads) if wants_b else None


def _gradient_of_b(a: Tensor, b: Tensor, grad: Tensor, threads: int) -> Tensor:
    if a.dim() > b.dim():  # one matrix for a batch: the product includes the sum over the batch
        a, grad = (one.reshape(a.shape[0] * a.shape[1], one.shape[2]) for one in (a, grad))
    return _matmul(a.mT, grad, threads=threads).sum_to_size(b.shape)


def _tangent(ctx: Any, of_a: Tensor, of_b: Tensor) -> Tensor:
    a, b = ctx.saved_tensors
    return _matmul(of_a, b, threads=ctx.threads) + _matmul(a, of_b, threads=ctx.threads)


differentiable(_matmul, _gradients, setup_context=_save, jvp=_tangent)


@torch.library.impl("ffi_cookbook::matmul", "AutocastCPU")
def _(*tensors: Tensor, **options: Any) -> Tensor:
    """Compute in float32; torch.library.register_autocast has no keyword-only arguments."""
    with torch.autocast("cpu", enabled=False):
        wide = (x if x.dtype == torch.float64 else x.float() for x in tensors)
        product: Tensor = _matmul(*wide, **options)
        return product


def _operations(a: torch.Size, b: torch.Size, *_: Any, **_options: Any) -> int:
    """Return the multiplications and additions, from the shapes of the operands."""
    batch = torch.broadcast_shapes(a[:-2], b[:-2])
    return 2 * batch.numel() * a[-2] * a[-1] * b[-1]


count_operations(_operations, ops.matmul, ops.matmul_out)


def _mapped(info: Any, in_dims: Any, a: Tensor, b: Tensor, **options: int) -> tuple[Tensor, int]:
    """Return one batch that joins the mapped dimension and the batch dimension, if there is one."""
    x, y = (_twice_batched(one, dim) for one, dim in zip((a, b), in_dims[:2], strict=True))
    shape = torch.broadcast_shapes(x.shape[:2], y.shape[:2])
    x, y = (t if t.shape[:2] == (1, 1) else t.expand(*shape, -1, -1) for t in (x, y))
    product = _matmul(x.flatten(0, 1), y.flatten(0, 1), **options).unflatten(0, shape)
    dims = (t.dim() - (dim is not None) for t, dim in zip((a, b), in_dims[:2], strict=True))
    return product if 3 in dims else product.squeeze(1), 0


def _twice_batched(tensor: Tensor, dim: int | None) -> Tensor:
    """Return a batch of (batches of) matrices with the mapped dimension first."""
    tensor = tensor[None] if dim is None else tensor.movedim(dim, 0)
    return tensor[:, None] if tensor.dim() == 3 else tensor


torch.library.register_vmap(_matmul, _mapped)


def _product_shape(a: Tensor, b: Tensor, threads: int) -> tuple[int, ...]:
    dims = (a.dim(), b.dim())
    torch._check({*dims} <= {2, 3}, lambda: f"a and b must have 2 or 3 dimensions, not {dims}")
    torch._check(a.dtype == b.dtype, lambda: "a and b must have one dtype")
    torch._check(a.dtype in _FLOATS, lambda: f"a must be float32 or float64, not {a.dtype}")
    torch._check(threads >= 1, lambda: f"threads must be at least 1, not {threads}")
    torch._check(a.device == b.device, lambda: "a and b must be on one device")
    torch._check(a.shape[-1] == b.shape[-2], lambda: "a must have as many columns as b has rows")
    return *torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]


@torch.library.register_fake(_matmul)
def _(a: Tensor, b: Tensor, *, threads: int = 1) -> Tensor:
    return a.new_empty(_product_shape(a, b, threads))


@torch.library.register_fake(_matmul_out)
def _(a: Tensor, b: Tensor, out: Tensor, *, threads: int = 1) -> None:
    shape = _product_shape(a, b, threads)
    torch._check(out.dtype == a.dtype, lambda: "out must have the dtype of a and b")
    torch._check(out.device == a.device, lambda: "out must be on the device of a and b")
    torch._check(out.shape == shape, lambda: f"out must have shape {shape}, not {out.shape}")
    torch._check(out.is_contiguous(), lambda: "out must be contiguous")
