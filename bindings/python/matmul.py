"""matmul in plain Python: three loops over lists, for each matrix of a batch.

Shows:  the whole algorithm, with nothing between it and the reader.
Build:  nothing to build.
Bites:  Python floats are float64. For float64 operands the K products and K - 1 sums are each
        rounded once: an error <= K * u * (|A| |B|) per element (Jeannerod and Rump, 2013). For
        float32 operands products are exact and the store rounds: an error <= u * |A B| and
        K * 2**-53 * (|A| |B|) on top. `threads` is checked, then ignored: the GIL is held.
"""

from __future__ import annotations

import numpy as np

from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.protocol import Matrix


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """Return a @ b; see protocol.Backend."""
    a, b, product, _ = check_matmul(a, b, out, threads)
    result = product if out is None else out
    if product.size == 0:
        return result
    batch = product.shape[:-2]
    a, b = np.broadcast_to(a, batch + a.shape[-2:]), np.broadcast_to(b, batch + b.shape[-2:])
    with np.errstate(over="ignore"):  # too large a float32 becomes inf, as in every binding
        for item in np.ndindex(batch):  # () where there is no batch
            _fill(product[item], a[item].tolist(), b[item].T.tolist())
    return result


def _fill(out: Matrix, rows: list[list[float]], columns: list[list[float]]) -> None:
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            total = 0.0
            for x, y in zip(row, column, strict=True):
                total += x * y
            out[i, j] = total
