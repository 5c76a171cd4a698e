import numpy as np
import torch
from torch import Tensor


def shape(a, b):
    if [a.dim(), b.dim()] != [2, 2]:
        raise ValueError("not matrices")
    (m, d), (n, e) = a.shape, b.shape
    if d != e:
        raise ValueError(f"rows of {d} and of {e}")
    return m, n


@torch.library.custom_op("lesson::distances", mutates_args=(), device_types="cpu")
def distances(a: Tensor, b: Tensor) -> Tensor:
    m, n = shape(a, b)
    out = a.new_empty(m, n)
    difference = a.numpy()[:, None] - b.numpy()[None]
    np.sqrt((difference**2).sum(2), out=out.numpy())
    return out


distances.register_fake(lambda a, b: a.new_empty(shape(a, b)))
distances.register_autocast("cpu", torch.float32)
