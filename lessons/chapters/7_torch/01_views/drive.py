"""Tensors of several strides, and what a function makes of them."""

import torch

KINDS = {
    "contiguous": lambda x: x.clone(),
    "transposed": lambda x: x.movedim(0, -1).contiguous().movedim(-1, 0),
    "spread": lambda x: x.repeat_interleave(2, -1)[..., ::2],
}


def viewed(subject, name, values, kind, *more):
    """Return whether the result shares the memory of the argument, and its values."""
    x = KINDS[kind](torch.from_numpy(values))
    result = getattr(subject, name)(x, *more)
    if not isinstance(result, torch.Tensor):
        raise TypeError(f"{name} returned {type(result).__name__}, not a tensor")
    same = result.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    return [same, result.numpy()]


def round_trip(subject, values, n, kind):
    """Return whether the heads of an array and their inverse share its memory, and its values."""
    x = KINDS[kind](torch.from_numpy(values))
    result = subject.merged(subject.heads(x, n))
    return [result.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(), result.numpy()]
