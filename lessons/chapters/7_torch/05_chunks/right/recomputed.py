import torch

CHUNK = 8


def chunks(x, target):
    return zip(range(0, len(x), CHUNK), x.split(CHUNK), target.split(CHUNK), strict=True)


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, target):
        ctx.save_for_backward(x, weight, target)
        total = 0
        for _, rows, t in chunks(x, target):
            total = total + torch.nn.functional.cross_entropy(rows @ weight.T, t, reduction="sum")
        return total / len(x)

    @staticmethod
    def backward(ctx, grad):
        x, weight, target = ctx.saved_tensors
        of_x, of_weight = torch.empty_like(x), torch.zeros_like(weight)
        for start, rows, t in chunks(x, target):
            p = (rows @ weight.T).softmax(1)
            p[torch.arange(len(t)), t] -= 1
            p *= grad / len(x)
            of_x[start : start + CHUNK] = p @ weight
            of_weight.addmm_(p.T, rows)
            del p
        return of_x, of_weight, None


linear_cross_entropy = Loss.apply
