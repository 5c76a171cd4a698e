import torch

CHUNK = 8


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, target):
        of_x, of_weight = torch.zeros_like(x), torch.zeros_like(weight)
        losses = x.new_empty(len(x))
        parts = zip(
            x.split(CHUNK), target.split(CHUNK), losses.split(CHUNK), of_x.split(CHUNK), strict=True
        )
        for rows, t, loss, to in parts:
            logits = torch.mm(rows, weight.t())
            where = t.unsqueeze(1)
            scale = logits.logsumexp(1, keepdim=True)
            loss.copy_((scale - logits.gather(1, where))[:, 0])
            logits.sub_(scale).exp_()
            logits.scatter_add_(1, where, -torch.ones_like(where, dtype=x.dtype))
            logits.div_(len(x))
            torch.mm(logits, weight, out=to)
            of_weight.addmm_(logits.t(), rows)
            del logits
        ctx.save_for_backward(of_x, of_weight)
        return losses.mean()

    @staticmethod
    def backward(ctx, grad):
        return *(grad * each for each in ctx.saved_tensors), None


linear_cross_entropy = Loss.apply
