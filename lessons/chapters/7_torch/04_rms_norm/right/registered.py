import torch

torch.library.define("lesson::rms_norm", "(Tensor x, Tensor weight, float eps) -> Tensor")


def inverse(x, eps):
    return torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps)


torch.library.impl("lesson::rms_norm", "CPU")(lambda x, weight, eps: x * inverse(x, eps) * weight)
torch.library.register_fake("lesson::rms_norm")(lambda x, weight, eps: torch.empty_like(x))


def save(ctx, inputs, output):
    x, weight, ctx.eps = inputs
    ctx.save_for_backward(x, weight)


def gradient(ctx, grad):
    x, weight = ctx.saved_tensors
    r = inverse(x, ctx.eps)
    g, n = grad * weight, x * r
    return (
        r * (g - n * (g * n).mean(dim=-1, keepdim=True)) if ctx.needs_input_grad[0] else None,
        (grad * n).sum(tuple(range(x.dim() - 1))) if ctx.needs_input_grad[1] else None,
        None,
    )


torch.library.register_autograd("lesson::rms_norm", gradient, setup_context=save)
rms_norm = torch.ops.lesson.rms_norm
