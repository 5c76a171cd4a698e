"""matmul through ctypes.

Shows:  numpy arrays handed to C as addresses and strides; the GIL released, because the library was
        opened with CDLL.
Build:  nothing but the shared library.
Bites:  `array.ctypes.data` is a bare address: the array must stay referenced until the call
        returns; all checks are yours, C sees only numbers.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from bindings.checks import check_matmul
from bindings.ctypes.library import lib
from bindings.protocol import Matrix

# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """a @ b; see bindings.protocol.Backend.matmul."""
    out = check_matmul(a, b, out, threads)
    m, k = a.shape
    n = b.shape[1]
    kernel = lib.ck_matmul_f32 if out.dtype == np.float32 else lib.ck_matmul_f64
    kernel(
        *(a.ctypes.data, *a.strides, b.ctypes.data, *b.strides, out.ctypes.data),
        *(m, k, n, min(threads, 1024)),
    )
    return cast("Matrix", out)
