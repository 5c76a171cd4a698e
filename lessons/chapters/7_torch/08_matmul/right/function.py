import torch
from matrices import multiply, shape_of_product, tensor_of
from torch import Tensor

library = torch.library.Library("lesson", "DEF")
library.define("matmul(Tensor a, Tensor b, int threads=1) -> Tensor")
library.define("matmul_out(Tensor a, Tensor b, Tensor(a!) out, int threads=1) -> ()")
ops = torch.ops.lesson


@torch.library.impl("lesson::matmul_out", "CPU")
def into(a, b, out, threads=1):
    multiply(a, b, out, threads)


@torch.library.impl("lesson::matmul", "CPU")
def new(a, b, threads=1):
    out = torch.empty(shape_of_product(a, b), dtype=a.dtype)
    multiply(a, b, out, threads)
    return out


@torch.library.register_fake("lesson::matmul")
def _(a, b, threads=1):
    shape = [a.shape[-2], b.shape[-1]]
    if a.dim() == 3 or b.dim() == 3:
        shape.insert(
            0, b.shape[0] if a.dim() == 2 or (b.dim() == 3 and a.shape[0] == 1) else a.shape[0]
        )
    return a.new_empty(shape)


@torch.library.register_fake("lesson::matmul_out")
def _(a, b, out, threads=1):
    pass


def backward(ctx, grad):
    a, b = ctx.saved_tensors
    wants_a, wants_b, *_ = ctx.needs_input_grad
    return (
        ops.matmul(grad, b.transpose(-1, -2)).sum_to_size(a.shape) if wants_a else None,
        ops.matmul(a.transpose(-1, -2), grad).sum_to_size(b.shape) if wants_b else None,
        None,
    )


torch.library.register_autograd(
    "lesson::matmul",
    backward,
    setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs[:2]),
)


def matmul(a, b, *, out=None, threads=1):
    if not isinstance(threads, int):
        raise TypeError("threads must be an integer")
    if isinstance(a, Tensor):
        return (
            ops.matmul(a, b, threads)
            if out is None
            else (ops.matmul_out(a, b, out, threads), out)[1]
        )
    tensors = [tensor_of(each) for each in (a, b)]
    if out is None:
        return ops.matmul(*tensors, threads).numpy()
    into_out = tensor_of(out)
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    ops.matmul_out(*tensors, into_out, threads)
    return out
