"""Write rms_norm(x, weight, eps) as a torch.autograd.Function with its gradient.

    y = x / sqrt(mean(x ** 2) + eps) * weight

The mean goes over the last dimension. x has two or more dimensions, weight has one, which
is as long as the last one of x, and eps is a float.

    >>> exercise.rms_norm(torch.tensor([[3.0, 4.0]]), torch.ones(2), 0.0)
    tensor([[0.8485, 1.1314]])

  - backward returns the gradients of x and weight; a gradient that is not needed is not computed.
  - Besides x and weight, at most one float for each row is saved for backward.
  - If x is changed in place between forward and backward, backward raises RuntimeError.
  - The gradient that arrives may have any strides. Second derivatives work.
"""

import torch


class RmsNorm(torch.autograd.Function):
    """Rows divided by the root of their mean square."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        """Return the normalized rows."""
        #: # TODO
        # BEGIN SOLUTION
        r = torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, r)
        ctx.eps = eps
        return x * r * weight
        # END SOLUTION

    @staticmethod
    def backward(ctx, grad):
        """Return the gradients of x, weight and eps."""
        #: # TODO
        # BEGIN SOLUTION
        return *gradients(ctx, grad), None


def gradients(ctx, grad):
    """Return the gradients of x and weight."""
    x, weight, r = ctx.saved_tensors
    if torch.is_grad_enabled():  # a second derivative: r depends on x
        r = torch.rsqrt(x.square().mean(-1, keepdim=True) + ctx.eps)
    n = x * r
    g = grad * weight
    of_x = of_weight = None
    if ctx.needs_input_grad[0]:
        of_x = r * (g - n * (g * n).mean(-1, keepdim=True))
    if ctx.needs_input_grad[1]:
        of_weight = (grad * n).sum_to_size(weight.shape)
    return of_x, of_weight


# END SOLUTION


def rms_norm(x, weight, eps):
    """Return x / sqrt(mean(x ** 2) + eps) * weight."""
    return RmsNorm.apply(x, weight, eps)
