import torch
from torch import Tensor


@torch.library.custom_op(
    "lesson::track",
    mutates_args={"average"},
    schema="(Tensor(a!) average, Tensor value, float weight) -> ()",
)
def track(average, value, weight):
    target = average.numpy()
    target += weight * (value.numpy() - target)


@torch.library.custom_op("lesson::gate", mutates_args=())
def gate(x: Tensor) -> Tensor:
    result = torch.empty_like(x)
    torch.mul(x, x.sigmoid(), out=result)
    return result


gate.register_fake(lambda x: x.new_empty(x.shape))


def _save(ctx, inputs, output):
    ctx.save_for_backward(*inputs, output)


def _gradient(ctx, grad):
    x, y = ctx.saved_tensors
    s = torch.sigmoid(x)
    slope = s + y * (1 - s)
    slope *= grad
    return slope


gate.register_autograd(_gradient, setup_context=_save)
