import torch
from torch import Tensor


@torch.library.custom_op("lesson::track", mutates_args=["average"])
def track(average: Tensor, value: Tensor, weight: float) -> None:
    average.copy_((1 - weight) * average + weight * value)


@torch.library.custom_op("lesson::gate", mutates_args=())
def gate(x: Tensor) -> Tensor:
    return torch.nn.functional.silu(x)


@torch.library.custom_op("lesson::gate_backward", mutates_args=())
def gate_backward(x: Tensor, grad: Tensor) -> Tensor:
    s = x.sigmoid()
    return (s + x * s * (1 - s)) * grad


@track.register_fake
def _(average, value, weight):
    pass


@gate.register_fake
def _(x):
    return torch.empty_like(x)


@gate_backward.register_fake
def _(x, grad):
    return torch.empty_like(x)


def save(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


gate.register_autograd(
    lambda ctx, grad: gate_backward(*ctx.saved_tensors, grad), setup_context=save
)
