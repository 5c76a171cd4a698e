import torch
from matrices import multiply, shape_of_product, tensor_of
from torch import Tensor


@torch.library.custom_op("lesson::matmul_out", mutates_args=["out"])
def into(a: Tensor, b: Tensor, out: Tensor, threads: int = 1) -> None:
    multiply(a, b, out, threads)


@torch.library.custom_op("lesson::matmul", mutates_args=[])
def new(a: Tensor, b: Tensor, threads: int = 1) -> Tensor:
    into(a, b, out := torch.empty(shape_of_product(a, b), dtype=a.dtype, device=a.device), threads)
    return out


into.register_fake(lambda a, b, out, threads=1: None)
new.register_fake(lambda a, b, threads=1: torch.matmul(a, b))


def save(ctx, inputs, output):
    ctx.save_for_backward(inputs[0], inputs[1])


def gradient(ctx, grad):
    a, b = ctx.saved_tensors
    answers = []
    for needed, left, right, like in (
        (ctx.needs_input_grad[0], grad, b.mT, a),
        (ctx.needs_input_grad[1], a.mT, grad, b),
    ):
        answers.append(new(left, right).sum_to_size(like.shape) if needed else None)
    return *answers, None


new.register_autograd(gradient, setup_context=save)


def matmul(a, b, *, out=None, threads=1):
    threads = threads.__index__() if hasattr(threads, "__index__") else _refuse(threads)
    of = (lambda each: each) if isinstance(a, Tensor) else tensor_of
    if out is not None and not isinstance(out, Tensor):
        target = tensor_of(out)
        if not out.flags.writeable:
            raise ValueError("out cannot be written to")
        into(of(a), of(b), target, threads)
        return out
    if out is not None:
        into(a, b, out, threads)
        return out
    result = new(of(a), of(b), threads)
    return result if isinstance(a, Tensor) else result.numpy()


def _refuse(threads):
    raise TypeError(f"threads must be an integer, not {threads!r}")
