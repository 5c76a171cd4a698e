import numpy as np
import torch

torch.library.define("lesson::distances", "(Tensor a, Tensor b) -> Tensor")


def checked(a, b):
    if not (a.ndim == b.ndim == 2):
        raise ValueError("two matrices are needed")
    if a.size(1) != b.size(1):
        raise ValueError("the rows must have one length")


@torch.library.impl("lesson::distances", "CPU")
def real(a, b):
    checked(a, b)
    out = torch.empty(len(a), len(b), dtype=a.dtype)
    x, y = a.numpy(), b.numpy()
    for i in range(len(x)):
        out.numpy()[i] = np.sqrt(((y - x[i]) ** 2).sum(1))
    return out


@torch.library.register_fake("lesson::distances")
def fake(a, b):
    checked(a, b)
    return torch.empty(a.size(0), b.size(0), dtype=a.dtype, device=a.device)


torch.library.register_autocast("lesson::distances", "cpu", torch.float32)
distances = torch.ops.lesson.distances
