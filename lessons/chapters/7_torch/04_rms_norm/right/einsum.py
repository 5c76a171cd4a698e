import torch


class RmsNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * weight / (torch.linalg.vecdot(x, x)[..., None] / x.shape[-1] + eps).sqrt()

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        root = (torch.linalg.vecdot(x, x)[..., None] / x.shape[-1] + ctx.eps).sqrt()
        needs_x, needs_weight, _ = ctx.needs_input_grad
        of_x = of_weight = None
        if needs_x:
            along = torch.einsum("...i,i,...i->...", grad, weight, x)[..., None] / x.shape[-1]
            of_x = (grad * weight - x * along / root**2) / root
        if needs_weight:
            of_weight = torch.einsum("...i,...i->i", grad, x / root)
        return of_x, of_weight, None


rms_norm = RmsNorm.apply
