"""The function and its gradients, and what it keeps and computes for them."""

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode


class Operations(TorchDispatchMode):
    """Counts the operators that are called."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.count += 1
        return function(*args, **(kwargs or {}))


def leaves(x, weight):
    """Return tensors of the arrays that need gradients."""
    return torch.from_numpy(x).requires_grad_(), torch.from_numpy(weight).requires_grad_()


def normalized(subject, x, weight, eps):
    """Return the result for arrays."""
    return subject.rms_norm(torch.from_numpy(x), torch.from_numpy(weight), eps).numpy()


def gradients(subject, x, weight, eps, grad, kind):
    """Return the gradients of both arguments, for a gradient with that kind of strides."""
    a, b = leaves(x, weight)
    given = torch.from_numpy(grad)
    given = given.mT.contiguous().mT if kind == "transposed" else given.expand(x.shape)
    subject.rms_norm(a, b, eps).backward(given)
    return [a.grad.numpy(), b.grad.numpy()]


def second(subject, x, weight, eps, direction):
    """Return the derivative of the gradient of x, in a direction."""
    a, b = leaves(x, weight)
    y = subject.rms_norm(a, b, eps).square().sum()
    (first,) = torch.autograd.grad(y, a, create_graph=True)
    (result,) = torch.autograd.grad((first * torch.from_numpy(direction)).sum(), a)
    return result.numpy()


def saved(subject, x, weight, eps):
    """Return the number of floats that are saved besides the arguments."""
    a, b = leaves(x, weight)
    own = {each.untyped_storage().data_ptr() for each in (a, b)}
    kept = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes() // 8
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        result = subject.rms_norm(a, b, eps)
    result.sum().backward()
    return sum(kept.values())


def saves_little(subject, x, weight, eps):
    """Return whether at most one float for each row is saved besides the arguments."""
    count = saved(subject, x, weight, eps)
    return count <= x.size // x.shape[-1]


def saves_work(subject, x, weight, eps):
    """Return whether backward does less when only one of the gradients is needed."""
    counts = []
    for needed in ((True, True), (True, False), (False, True)):
        a, b = leaves(x, weight)
        a, b = a.requires_grad_(needed[0]), b.requires_grad_(needed[1])
        result = subject.rms_norm(a, b, eps)
        ones = torch.ones_like(result)
        with Operations() as operations:
            torch.autograd.grad(result, [each for each in (a, b) if each.requires_grad], ones)
        counts.append(operations.count)
    return counts[1] < counts[0] and counts[2] < counts[0]


def changed_between(subject, x, weight, eps):
    """Return a gradient where x was changed in place after the call."""
    a, b = leaves(x, weight)
    held = a * 2
    result = subject.rms_norm(held, b, eps)
    held.detach().add_(1)
    result.sum().backward()
    return a.grad.numpy()
