"""matmul through torch: numpy arrays in and out, or tensors, which also train and compile.

Shows:  one function for arrays and tensors; a gradient written with the operator itself, and so
        with gradients of its own.
Build:  bindings/torch/matmul.cpp.
Bites:  register_autograd puts Python around every call of an op, training or not: arrays take
        matmul_out, which has none. It makes no forward-mode derivative either, and torch takes the
        absence for zero, without a word: so tangents are refused here. torch.func.grad does not
        know what it registers.
"""

from __future__ import annotations

from typing import Any, TypeVar

import torch
from torch.autograd.forward_ad import unpack_dual

from bindings.checks import check_matmul, check_threads
from bindings.torch.library import lend, ops

Operand = TypeVar("Operand", bound=Any)  # protocol.Matrix or torch.Tensor

# ---- kernel --------------------------------------------------------------------------------

_FLOATS = (torch.float32, torch.float64)
_matmul = ops.matmul.default  # an overload, named, is found without a search
_matmul_out = ops.matmul_out.default


def matmul(a: Operand, b: Operand, *, out: Operand | None = None, threads: int = 1) -> Operand:
    """a @ b; see bindings.protocol.Backend.matmul. Given tensors it returns a tensor."""
    if isinstance(a, torch.Tensor):
        _check_tensors(a, b, out)
        if out is None:
            return _matmul(a, b, threads=threads)
        if torch.is_grad_enabled() and any(t.requires_grad for t in (a, b, out)):
            raise RuntimeError("with out= there is no gradient")
        _matmul_out(a, b, out, threads=threads)
        torch.autograd.graph.increment_version(out)  # a backward that kept it sees it changed
        return out
    out = check_matmul(a, b, out, threads)
    _matmul_out(lend(a), lend(b), lend(out), threads=check_threads(threads))
    return out


def _check_tensors(a: torch.Tensor, b: Any, out: Any) -> None:
    """What the op would say as a RuntimeError or, of a tangent, not at all."""
    for tensor in (a, b) if out is None else (a, b, out):
        if not isinstance(tensor, torch.Tensor):
            kind = type(tensor).__name__
            raise TypeError(f"a is a torch.Tensor, and so must b and out be, not {kind}")
        if tensor.dtype not in _FLOATS or tensor.dtype != a.dtype:
            raise TypeError(f"tensors must be all float32 or all float64, not {tensor.dtype}")
        if unpack_dual(tensor).tangent is not None:
            raise NotImplementedError("matmul has no forward-mode derivative")


# ---- training ------------------------------------------------------------------------------


def _save(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)
    ctx.threads = keyword_only_inputs["threads"]


def _gradients(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor | None]:
    a, b = ctx.saved_tensors
    wants_a, wants_b = ctx.needs_input_grad[:2]
    return (
        _matmul(grad, b.mT, threads=ctx.threads).sum_to_size(a.shape) if wants_a else None,
        _gradient_of_b(a, b, grad, ctx.threads) if wants_b else None,
    )


def _gradient_of_b(
    a: torch.Tensor, b: torch.Tensor, grad: torch.Tensor, threads: int
) -> torch.Tensor:
    if b.dim() == 2:  # one matrix for a batch: the sum over the batch is part of the product
        a, grad = a.flatten(0, -2), grad.flatten(0, -2)
    return _matmul(a.mT, grad, threads=threads).sum_to_size(b.shape)


torch.library.register_autograd(_matmul, _gradients, setup_context=_save)
