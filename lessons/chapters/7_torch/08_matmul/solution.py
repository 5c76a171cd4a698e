import operator

import torch
from matrices import multiply, shape_of_product, tensor_of
from torch import Tensor


@torch.library.custom_op("lesson::matmul", mutates_args=())
def product(a: Tensor, b: Tensor, threads: int = 1) -> Tensor:
    """Return a @ b."""
    out = a.new_empty(shape_of_product(a, b))
    multiply(a, b, out, threads)
    return out


@torch.library.custom_op("lesson::matmul_out", mutates_args={"out"})
def product_into(a: Tensor, b: Tensor, out: Tensor, threads: int = 1) -> None:
    """Write a @ b to out."""
    multiply(a, b, out, threads)


@product.register_fake
def _(a, b, threads=1):
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty(*batch, a.shape[-2], b.shape[-1])


@product_into.register_fake
def _(a, b, out, threads=1):
    return None


def _save(ctx, inputs, output):
    a, b, ctx.threads = inputs
    ctx.save_for_backward(a, b)


def _gradient(ctx, grad):
    a, b = ctx.saved_tensors
    of_a = of_b = None
    if ctx.needs_input_grad[0]:
        of_a = product(grad, b.mT, ctx.threads).sum_to_size(a.shape)
    if ctx.needs_input_grad[1]:
        of_b = product(a.mT, grad, ctx.threads).sum_to_size(b.shape)
    return of_a, of_b, None


product.register_autograd(_gradient, setup_context=_save)


def matmul(a, b, *, out=None, threads=1):
    """Return the product of two matrices or batches of matrices, in `out` if it is given."""
    threads = operator.index(threads)
    if isinstance(a, Tensor):
        if out is None:
            return product(a, b, threads)
        product_into(a, b, out, threads)
        return out
    x, y = tensor_of(a), tensor_of(b)
    if out is None:
        return product(x, y, threads).numpy()
    target = tensor_of(out)
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    product_into(x, y, target, threads)
    return out
