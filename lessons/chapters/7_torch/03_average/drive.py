"""The two operators, as a program that trains would call them."""

import torch


def written(subject, name):
    """Return the names of the arguments that the schema says the operator writes to."""
    arguments = getattr(torch.ops.lesson, name).default._schema.arguments
    return [each.name for each in arguments if each.alias_info and each.alias_info.is_write]


def tracked(subject, average, value, weight, transposed):
    """Return an average after one step."""
    held = torch.from_numpy(average.copy())
    held = held.t().contiguous().t() if transposed else held
    answer = subject.track(held, torch.from_numpy(value), weight)
    return [answer, held.numpy()]


def gated(subject, x):
    """Return the gate of an array, as an array."""
    return subject.gate(torch.from_numpy(x)).numpy()


def gradient(subject, x, grad):
    """Return the gradient that gate sends back."""
    leaf = torch.from_numpy(x).requires_grad_()
    subject.gate(leaf).backward(torch.from_numpy(grad))
    return leaf.grad.numpy()


def gradient_after(subject, x, grad):
    """Return the gradient that gate was given, after the backward pass."""
    leaf, given = torch.from_numpy(x).requires_grad_(), torch.from_numpy(grad.copy())
    subject.gate(leaf).backward(given)
    return given.numpy()


def changed_between(subject, x):
    """Return a gradient where the argument of gate was changed in place after the call."""
    leaf = torch.from_numpy(x).requires_grad_()
    held = leaf * 2
    result = subject.gate(held)
    held.detach().add_(1)
    result.sum().backward()
    return leaf.grad.numpy()


def noticed(subject, x):
    """Return whether autograd notices that track has changed a tensor that it has saved."""
    leaf = torch.from_numpy(x).requires_grad_()
    saved = leaf * 2
    square = saved * saved
    subject.track(saved.detach(), torch.ones_like(saved), 0.5)
    try:
        square.sum().backward()
    except RuntimeError:
        return True
    return False
