"""Find five bugs in these two operators, two of which torch.library.opcheck sees.

    lesson::track(Tensor(a!) average, Tensor value, float weight) -> ()
    lesson::gate(Tensor x) -> Tensor

track moves an average towards a value, in place, by the share `weight` of the difference. The
average may have any strides. gate returns x / (1 + exp(-x)) and has a gradient. If x is changed
between the forward and the backward pass, backward raises RuntimeError, as it does for torch's own
operators. The gradient that arrives is not changed: it belongs to the caller.

    >>> average = torch.zeros(2)
    >>> exercise.track(average, torch.tensor([1.0, 2.0]), 0.5)
    >>> average
    tensor([0.5000, 1.0000])
"""

import torch
from torch import Tensor


#: @torch.library.custom_op("lesson::track", mutates_args=())
# BEGIN SOLUTION
@torch.library.custom_op("lesson::track", mutates_args={"average"})
# END SOLUTION
def track(average: Tensor, value: Tensor, weight: float) -> None:
    """Move the average towards the value."""
    #: items = average.reshape(-1)
    #: items += weight * (value.reshape(-1) - items)
    # BEGIN SOLUTION
    average.lerp_(value, weight)
    # END SOLUTION


@track.register_fake
def _(average, value, weight):
    return None


@torch.library.custom_op("lesson::gate", mutates_args=())
def gate(x: Tensor) -> Tensor:
    """Return x / (1 + exp(-x))."""
    return x * torch.sigmoid(x)


@gate.register_fake
def _(x):
    return torch.empty_like(x)


def _save(ctx, inputs, output):
    #: (ctx.x,) = inputs
    # BEGIN SOLUTION
    (x,) = inputs
    ctx.save_for_backward(x)
    # END SOLUTION


def _gradient(ctx, grad):
    #: s = torch.sigmoid(ctx.x)
    #: return grad.mul_(s * (1 - s))
    # BEGIN SOLUTION
    (x,) = ctx.saved_tensors
    s = torch.sigmoid(x)
    return grad * (s + x * s * (1 - s))
    # END SOLUTION


gate.register_autograd(_gradient, setup_context=_save)
