"""matmul through ctypes.

Shows:  numpy arrays handed to C as addresses and strides; the GIL released, because the library was
        opened with CDLL.
Build:  nothing but the shared library.
Bites:  `array.ctypes.data` is a bare address: the array must stay referenced until the call
        returns; all checks are yours, C sees only numbers.
"""

from __future__ import annotations

from math import prod
from typing import cast

import numpy as np

from bindings.checks import batch_strides, check_matmul, check_threads
from bindings.ctypes.library import lib
from bindings.protocol import Matrix

# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """a @ b; see bindings.protocol.Backend.matmul."""
    out = check_matmul(a, b, out, threads)
    kernel = lib.ck_matmul_f32 if out.dtype == np.float32 else lib.ck_matmul_f64
    kernel(
        *(a.ctypes.data, *batch_strides(a), b.ctypes.data, *batch_strides(b), out.ctypes.data),
        *(prod(out.shape[:-2]), *a.shape[-2:], b.shape[-1], check_threads(threads)),
    )
    return cast("Matrix", out)
