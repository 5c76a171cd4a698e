from operator import index

import torch
from matrices import multiply, shape_of_product, tensor_of
from torch import Tensor


def _new(a: Tensor, b: Tensor, threads: int = 1) -> Tensor:
    out = torch.zeros(shape_of_product(a, b), dtype=a.dtype)
    multiply(a, b, out, threads)
    return out


def _into(a: Tensor, b: Tensor, out: Tensor, threads: int = 1) -> None:
    multiply(a, b, out, threads)


product = torch.library.custom_op("lesson::matmul", _new, mutates_args=())
product_into = torch.library.custom_op("lesson::matmul_out", _into, mutates_args={"out"})


@torch.library.register_fake("lesson::matmul")
def _(a, b, threads=1):
    torch._check(a.shape[-1] == b.shape[-2], lambda: "a must have as many columns as b has rows")
    return torch.empty_like(a @ b)


@torch.library.register_fake("lesson::matmul_out")
def _(a, b, out, threads=1):
    torch._check(out.dtype == a.dtype, lambda: "out must have the dtype of a")


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs[:-1])


def _back(ctx, grad):
    a, b = ctx.saved_tensors
    of_a = of_b = None
    if ctx.needs_input_grad[0]:
        of_a = product(grad, b.mT)
        of_a = of_a.sum(0) if of_a.dim() > a.dim() else of_a.sum_to_size(a.shape)
    if ctx.needs_input_grad[1]:
        of_b = product(a.mT, grad)
        of_b = of_b.sum(0) if of_b.dim() > b.dim() else of_b.sum_to_size(b.shape)
    return of_a, of_b, None


product.register_autograd(_back, setup_context=_keep)


def matmul(a, b, *, out=None, threads=1):
    if isinstance(a, Tensor) and out is None:
        return product(a, b, index(threads))
    if isinstance(a, Tensor):
        product_into(a, b, out, index(threads))
    else:
        x, y = tensor_of(a), tensor_of(b)
        if out is None:
            return product(x, y, index(threads)).numpy()
        target = tensor_of(out)
        if not out.flags.writeable:
            raise ValueError("read-only")
        product_into(x, y, target, index(threads))
    return out
