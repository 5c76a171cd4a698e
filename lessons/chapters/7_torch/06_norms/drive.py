"""The two operators with tensors of several strides."""

import numpy as np
import torch

KINDS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: np.asfortranarray(x),
    "spread": lambda x: np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::3],
}


def made(values, kind):
    """Return a tensor over an array with such strides."""
    return torch.from_numpy(KINDS[kind](values))


def written(subject, name):
    """Return the names of the arguments that the schema says the operator writes to."""
    arguments = getattr(subject, name).default._schema.arguments
    return [each.name for each in arguments if each.alias_info and each.alias_info.is_write]


def row_norms(subject, values, kind):
    """Return the norms of the rows."""
    return subject.row_norms(made(values, kind)).numpy()


def normalize(subject, values, kind):
    """Return the rows after they were divided by their norms in place."""
    x = made(values.copy(), kind)
    return [subject.normalize_(x), x.numpy()]


def refused(subject, name, dtype, shape):
    """Call an operator with what it must refuse."""
    getattr(subject, name)(torch.ones(shape, dtype=getattr(torch, dtype)))
    return name
