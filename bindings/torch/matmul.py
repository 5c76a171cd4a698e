"""matmul through torch: numpy arrays in and out, or tensors, which also train and compile.

Shows:  one function for arrays and tensors; derivatives written with the operator itself, which
        therefore have derivatives too; a rule for vmap, the count of products for profilers, and
        the dtype under autocast.
Build:  bindings/torch/matmul.cpp.
Bites:  an Autograd kernel in Python runs around every call of an op, training or not: arrays use
        matmul_out, which has no derivative.
"""

from __future__ import annotations

from typing import Any, TypeVar

import torch

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.protocol import Matrix
from ffi_cookbook.bindings.torch.derivatives import differentiable
from ffi_cookbook.bindings.torch.library import borrowed, count_operations, on_arrays, ops

Operand = TypeVar("Operand", bound=Matrix | torch.Tensor)

# ---- kernel --------------------------------------------------------------------------------

_FLOATS = (torch.float32, torch.float64)
_matmul = ops.matmul.default  # a named overload needs no search
_matmul_out = ops.matmul_out.default
_fill = on_arrays(_matmul_out)


def matmul(a: Operand, b: Operand, *, out: Operand | None = None, threads: int = 1) -> Operand:
    """Return a @ b, a tensor if they are tensors; see protocol.Backend."""
    if isinstance(a, torch.Tensor):
        threads = check_threads(threads)
        _check_tensors(a, b, out)
        if out is None:
            return _matmul(a, b, threads=threads)
        _matmul_out(a, b, out, threads=threads)
        return out
    x, y, product, threads = check_matmul(a, b, out, threads)
    _fill(borrowed(x), borrowed(y), borrowed(product), threads=threads)
    return product if out is None else out


def _check_tensors(a: torch.Tensor, b: Any, out: Any) -> None:
    """Raise for tensors that the op refuses with RuntimeError."""
    autocast = out is None and torch.is_autocast_enabled("cpu")
    for tensor in (a, b) if out is None else (a, b, out):
        if not isinstance(tensor, torch.Tensor):
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


def _gradients(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    a, b = ctx.saved_tensors
    *_, wants_a, wants_b = ctx.needs_input_grad
    of_a = _matmul(grad, b.mT, threads=ctx.threads).sum_to_size(a.shape) if wants_a else None
    return of_a, _gradient_of_b(a, b, grad, ctx.threads) if wants_b else None


def _gradient_of_b(
    a: torch.Tensor, b: torch.Tensor, grad: torch.Tensor, threads: int
) -> torch.Tensor:
    if a.dim() > b.dim():  # one matrix for a batch: the product includes the sum over the batch
        a, grad = (one.reshape(a.shape[0] * a.shape[1], one.shape[2]) for one in (a, grad))
    return _matmul(a.mT, grad, threads=threads).sum_to_size(b.shape)


def _tangent(ctx: Any, of_a: torch.Tensor, of_b: torch.Tensor) -> torch.Tensor:
    a, b = ctx.saved_tensors
    return _matmul(of_a, b, threads=ctx.threads) + _matmul(a, of_b, threads=ctx.threads)


differentiable(_matmul, _gradients, setup_context=_save, jvp=_tangent)


@torch.library.impl("ffi_cookbook::matmul", "AutocastCPU")
def _(*tensors: torch.Tensor, **options: Any) -> torch.Tensor:
    """Compute in float32; torch.library.register_autocast has no keyword-only arguments."""
    with torch.autocast("cpu", enabled=False):
        wide = (x if x.dtype == torch.float64 else x.float() for x in tensors)
        product: torch.Tensor = _matmul(*wide, **options)
        return product


def _operations(a: torch.Size, b: torch.Size, *_: Any, **_options: Any) -> int:
    """Return the multiplications and additions, from the shapes of the operands."""
    batch = torch.broadcast_shapes(a[:-2], b[:-2])
    return 2 * batch.numel() * a[-2] * a[-1] * b[-1]


count_operations(ops.matmul, _operations)
count_operations(ops.matmul_out, _operations)


def _mapped(
    info: Any, in_dims: Any, a: torch.Tensor, b: torch.Tensor, *, threads: int = 1
) -> tuple[torch.Tensor, int]:
    """Return one batch that joins the mapped dimension and the batch dimension, if there is one."""
    x, y = (_twice_batched(one, dim) for one, dim in zip((a, b), in_dims[:2], strict=True))
    shape = torch.broadcast_shapes(x.shape[:2], y.shape[:2])
    x, y = (t if t.shape[:2] == (1, 1) else t.expand(*shape, -1, -1) for t in (x, y))
    product = _matmul(x.flatten(0, 1), y.flatten(0, 1), threads=threads).unflatten(0, shape)
    dims = (t.dim() - (dim is not None) for t, dim in zip((a, b), in_dims[:2], strict=True))
    return product if 3 in dims else product.squeeze(1), 0


def _twice_batched(tensor: torch.Tensor, dim: int | None) -> torch.Tensor:
    """Return a batch of (batches of) matrices with the mapped dimension first."""
    tensor = tensor[None] if dim is None else tensor.movedim(dim, 0)
    return tensor[:, None] if tensor.dim() == 3 else tensor


torch.library.register_vmap(_matmul, _mapped)
