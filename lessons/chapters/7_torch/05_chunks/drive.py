"""The loss and its gradients, and the memory that is allocated for them."""

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Memory(TorchDispatchMode):
    """Counts the floats of all storages that operators have allocated and that still live."""

    def __init__(self, *arguments):
        super().__init__()
        self.live = {}
        self.known = {each.untyped_storage()._cdata for each in arguments}
        self.peak = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.forget()
        result = function(*args, **(kwargs or {}))
        for each in tree_leaves(result):
            if isinstance(each, torch.Tensor) and each.is_floating_point():
                storage = each.untyped_storage()
                if storage._cdata not in self.known:
                    self.live[storage._cdata] = StorageWeakRef(storage), storage.nbytes() // 8
        self.peak = max(self.peak, sum(size for _, size in self.live.values()))
        return result

    def forget(self):
        """Forget the storages that were freed."""
        self.live = {key: pair for key, pair in self.live.items() if not pair[0].expired()}


def made(x, weight, target):
    """Return tensors of the arrays; the first two need gradients."""
    a, b = torch.from_numpy(x).requires_grad_(), torch.from_numpy(weight).requires_grad_()
    return a, b, torch.from_numpy(target)


def loss(subject, x, weight, target):
    """Return the loss."""
    return subject.linear_cross_entropy(*made(x, weight, target)).item()


def gradients(subject, x, weight, target, factor):
    """Return the gradients of the loss times a factor."""
    a, b, t = made(x, weight, target)
    (subject.linear_cross_entropy(a, b, t) * factor).backward()
    return [a.grad.numpy(), b.grad.numpy()]


def within(subject, x, weight, target, limit):
    """Return whether the peak of what is allocated stays within a limit."""
    arguments = made(x, weight, target)
    with Memory(*arguments) as memory:
        result = subject.linear_cross_entropy(*arguments)
        result.backward()
    return memory.peak <= limit


def saved(subject, x, weight, target):
    """Return whether no more is saved than the gradients of the arguments."""
    arguments = made(x, weight, target)
    kept = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes() // 8
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        subject.linear_cross_entropy(*arguments)
    for each in arguments:
        kept.pop(each.untyped_storage().data_ptr(), None)
    return sum(kept.values()) <= x.size + weight.size + len(target)
