import torch


def windows(x, size):
    return x.unfold(-1, size, 1)


def heads(x, n):
    d = x.shape[-1] // n
    return x.unfold(-1, d, d).movedim(-2, -3)


def merged(x):
    return torch.flatten(x.movedim(-3, -2), -2)


def flat(x):
    return torch.Tensor.view(x, (-1,))
