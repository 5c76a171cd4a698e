"""Tensors with several strides, and what a function returns for them."""

import torch

KINDS = {
    "contiguous": lambda x: x.clone(),
    "transposed": lambda x: x.movedim(0, -1).contiguous().movedim(-1, 0),
    "spread": lambda x: x.repeat_interleave(2, -1)[..., ::2],
}


def shared(result, x):
    """Return "a view" if a tensor shares the memory of another, else "a copy"."""
    same = result.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    return "a view" if same else "a copy"


def viewed(subject, name, values, kind, *more):
    """Return what the result is, a view of the argument or a copy, and its values."""
    x = KINDS[kind](torch.from_numpy(values))
    result = getattr(subject, name)(x, *more)
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"{name} returned {type(result).__name__}, not a tensor")
    return [shared(result, x), result.numpy()]


def round_trip(subject, values, n, kind):
    """Return what the heads of an array and their inverse are, and their values."""
    x = KINDS[kind](torch.from_numpy(values))
    result = subject.merged(subject.heads(x, n))
    return [shared(result, x), result.numpy()]
