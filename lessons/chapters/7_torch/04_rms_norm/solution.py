import torch


class RmsNorm(torch.autograd.Function):
    """Rows divided by the root of their mean square."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        """Return the normalized rows."""
        r = torch.rsqrt(x.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, r)
        ctx.eps = eps
        return x * r * weight

    @staticmethod
    def backward(ctx, grad):
        """Return the gradients of x, weight and eps."""
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


def rms_norm(x, weight, eps):
    """Return x / sqrt(mean(x ** 2) + eps) * weight."""
    return RmsNorm.apply(x, weight, eps)
