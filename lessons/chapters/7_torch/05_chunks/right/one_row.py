import torch


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(x, weight, target):
        total = x.new_zeros(())
        of_x, of_weight = torch.empty_like(x), torch.zeros_like(weight)
        for row, t, to in zip(x, target, of_x, strict=True):
            logits = weight.mv(row)
            top = logits.max()
            p = torch.exp(logits - top)
            total += p.sum().log() + top - logits[t]
            p /= p.sum() * len(x)
            p[t] -= 1 / len(x)
            to.copy_(p @ weight)
            of_weight.addr_(p, row)
        return total / len(x), of_x, of_weight

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*output[1:])
        ctx.mark_non_differentiable(*output[1:])

    @staticmethod
    def backward(ctx, grad, *others):
        of_x, of_weight = ctx.saved_tensors
        return grad * of_x, grad * of_weight, None


def linear_cross_entropy(x, weight, target):
    return Loss.apply(x, weight, target)[0]
