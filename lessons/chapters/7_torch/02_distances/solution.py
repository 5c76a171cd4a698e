"""Register an operator of torch: the distances between all rows of a and all rows of b.

`pairwise` below computes them with NumPy; torch cannot look into it. Make the operator

    lesson::distances(Tensor a, Tensor b) -> Tensor        # (m, d), (n, d) -> (m, n)

    >>> exercise.distances(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]))
    tensor([[5.]])

  - The result is contiguous, and has the dtype of the arguments: float32 or float64.
  - Shapes that do not fit raise ValueError, in the fake kernel too.
  - A fake kernel says what the operator returns, without running it: shape, dtype, device, strides.
    It works for sizes that are symbols.
  - Under autocast on the CPU, the operator gets its arguments in float32.
"""

import numpy as np
import torch
from torch import Tensor


def pairwise(a, b):
    """Return the distances between the rows of two arrays."""
    return np.array([np.sqrt(((a - row) ** 2).sum(1)) for row in b], a.dtype).reshape(len(b), -1).T


#: # TODO: register the operator, its fake kernel, and what autocast does
#: def distances(a: Tensor, b: Tensor) -> Tensor:
#:     """Return the distances between all rows of a and all rows of b."""
#:     return torch.from_numpy(pairwise(a.numpy(), b.numpy()))
# BEGIN SOLUTION
def _check(a, b):
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[1]:
        raise ValueError("a and b must have shapes (m, d) and (n, d)")


@torch.library.custom_op("lesson::distances", mutates_args=())
def distances(a: Tensor, b: Tensor) -> Tensor:
    """Return the distances between all rows of a and all rows of b."""
    _check(a, b)
    return torch.from_numpy(np.ascontiguousarray(pairwise(a.numpy(), b.numpy())))


@distances.register_fake
def _(a, b):
    _check(a, b)
    return a.new_empty(a.shape[0], b.shape[0])


torch.library.register_autocast("lesson::distances", "cpu", torch.float32)
# END SOLUTION
