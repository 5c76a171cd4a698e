"""matmul through NumPy, which passes it to the BLAS it was built with.

Shows:  what most users have already; the yardstick for every other binding.
Build:  pip install numpy.
Bites:  the BLAS has its own threads, set before NumPy is imported (OPENBLAS_NUM_THREADS=1), and
        picks its kernels by CPU model, not by feature. `threads` is checked, then ignored.
"""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.protocol import Matrix


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """Return a @ b; see protocol.Backend."""
    a, b, product, _ = check_matmul(a, b, out, threads)
    if product.size:  # else np.matmul would still loop over the whole batch
        with np.errstate(all="ignore"):  # overflow, inf - inf: IEEE's answer, as in every binding
            np.matmul(a, b, out=product)
    return product if out is None else out
