"""matmul with the kernel of cython_src/gemm.pyx."""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.cython_kernels import gemm
from ffi_cookbook.bindings.protocol import Matrix


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """Return a @ b; see protocol.Backend. It uses one thread."""
    a, b, product, _ = check_matmul(a, b, out, threads)
    result = product if out is None else out
    if product.size:
        batch = product.shape[0] if product.ndim == 3 else 1
        block = np.empty(gemm.BLOCK, product.dtype)
        filled = product.reshape((batch, *product.shape[-2:]))
        gemm.multiply(filled, _batch(a, batch), _batch(b, batch), block)
    return result


def _batch(matrices: Matrix, n: int) -> Matrix:
    """Return a batch of `n` matrices, aligned as a typed memoryview expects them."""
    aligned = matrices if matrices.flags.aligned else matrices.copy()
    batch: Matrix = np.broadcast_to(aligned, (n, *matrices.shape[-2:]))
    return batch
