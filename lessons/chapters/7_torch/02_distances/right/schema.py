import numpy as np
import torch


def kernel(a, b):
    test(a, b)
    rows = [torch.from_numpy(np.linalg.norm(b.numpy() - row, axis=1)) for row in a.numpy()]
    return torch.stack(rows).to(a.dtype) if rows else a.new_zeros(0, len(b))


def fake(a, b):
    test(a, b)
    return torch.zeros((a.shape[0], b.shape[0]), dtype=a.dtype, device=b.device)


def test(a, b):
    if a.dim() != 2 or b.dim() != 2:
        raise ValueError("a and b must have two dimensions")
    if a.shape[1] != b.shape[1]:
        raise ValueError("a and b must have the same number of columns")


distances = torch.library.custom_op(
    "lesson::distances", kernel, mutates_args=[], schema="(Tensor a, Tensor b) -> Tensor"
)
distances.register_fake(fake)
torch.library.register_autocast(distances, "cpu", torch.float32)
