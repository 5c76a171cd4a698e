"""matmul through torch: numpy arrays in and out, or tensors, which also train and compile.

Shows:  one function for arrays and tensors; a gradient written with the operator itself, which
        therefore has gradients too; the form that torch.func needs, with a rule for vmap.
Build:  bindings/torch/matmul.cpp.
Bites:  register_autograd runs Python code around every call of an op, training or not: arrays use
        matmul_out, which has no gradient. It makes no forward-mode derivative either, and torch
        silently takes a missing one for zero: so tangents are refused here. torch.func, which
        transforms functions, refuses such a registration: it needs an autograd.Function.
"""

from __future__ import annotations

from typing import Any, TypeVar

import torch
from torch.autograd.forward_ad import unpack_dual

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.protocol import Matrix
from ffi_cookbook.bindings.torch.library import borrowed, ops, untracked

Operand = TypeVar("Operand", bound=Matrix | torch.Tensor)

# ---- kernel --------------------------------------------------------------------------------

_FLOATS = (torch.float32, torch.float64)
_matmul = ops.matmul.default  # a named overload needs no search
_matmul_out = ops.matmul_out.default


def matmul(a: Operand, b: Operand, *, out: Operand | None = None, threads: int = 1) -> Operand:
    """Return a @ b, a tensor if they are tensors; see protocol.Backend."""
    if isinstance(a, torch.Tensor):
        threads = check_threads(threads)
        _check_tensors(a, b, out)
        if out is None:
            return _multiply(a, b, threads)
        if torch.is_grad_enabled() and any(t.requires_grad for t in (a, b, out)):
            raise RuntimeError("with out= there is no gradient")
        _matmul_out(a, b, out, threads=threads)
        return out
    x, y, product, threads = check_matmul(a, b, out, threads)
    with untracked():
        _matmul_out(borrowed(x), borrowed(y), borrowed(product), threads=threads)
    return product if out is None else out


def _check_tensors(a: torch.Tensor, b: Any, out: Any) -> None:
    """Raise for tensors that the op refuses with RuntimeError, and for tangents."""
    for tensor in (a, b) if out is None else (a, b, out):
        if not isinstance(tensor, torch.Tensor):
            kind = type(tensor).__name__
            raise TypeError(f"a is a torch.Tensor, and so must b and out be, not {kind}")
        if tensor.dtype not in _FLOATS or tensor.dtype != a.dtype:
            raise TypeError(f"tensors must be all float32 or all float64, not {tensor.dtype}")
        if tensor is out and not torch.compiler.is_compiling() and tensor.is_neg():
            raise ValueError("out must not be a negative view, such as the imag of a conjugate")
        if unpack_dual(tensor).tangent is not None:
            raise NotImplementedError("matmul has no forward-mode derivative")


# ---- training ------------------------------------------------------------------------------


def _multiply(a: torch.Tensor, b: torch.Tensor, threads: int) -> torch.Tensor:
    """Multiply with the operator, or with _Product if torch.func transforms the call.

    The question is asked by a private name, because torch has no public one.
    """
    if torch._C._are_functorch_transforms_active():
        product: torch.Tensor = _Product.apply(a, b, threads)
        return product
    return _matmul(a, b, threads=threads)


def _gradients(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    a, b = ctx.saved_tensors
    wants_a, wants_b = ctx.needs_input_grad[:2]
    return (
        _multiply(grad, b.mT, ctx.threads).sum_to_size(a.shape) if wants_a else None,
        _gradient_of_b(a, b, grad, ctx.threads) if wants_b else None,
    )


def _gradient_of_b(
    a: torch.Tensor, b: torch.Tensor, grad: torch.Tensor, threads: int
) -> torch.Tensor:
    if b.dim() == 2:  # one matrix for a batch: the product includes the sum over the batch
        a, grad = a.flatten(0, -2), grad.flatten(0, -2)
    return _multiply(a.mT, grad, threads).sum_to_size(b.shape)


def _save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)
    ctx.threads = keyword_only_inputs["threads"]


torch.library.register_autograd(_matmul, _gradients, setup_context=_save)


class _Product(torch.autograd.Function):
    """The product for torch.func: grad, vjp, jacrev and vmap, and any combination of them."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: torch.Tensor, b: torch.Tensor, threads: int) -> torch.Tensor:
        return _matmul(a, b, threads=threads)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        a, b, ctx.threads = inputs
        ctx.save_for_backward(a, b)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        return *_gradients(ctx, grad), None


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
