"""matmul through ctypes.

Shows:  numpy arrays handed to C as addresses and strides; the GIL released, because the library was
        opened with CDLL.
Build:  nothing but the shared library.
Bites:  `array.ctypes.data` is a bare address: the array must stay referenced until the call
        returns; from_buffer is quicker and keeps it, but takes only what is writable and
        C-contiguous. All checks are yours, C sees only numbers.
"""

from __future__ import annotations

from ctypes import c_char
from math import prod
from typing import Any

import numpy as np

from bindings.ctypes.library import lib
from bindings.matrices import batch_strides, check_matmul
from bindings.protocol import Matrix

# ---- arguments -----------------------------------------------------------------------------

_memory = (c_char * 0).from_buffer


def _address(array: Matrix) -> Any:
    return _memory(array) if array.flags.carray else array.ctypes.data


# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """a @ b; see bindings.protocol.Backend.matmul."""
    a, b, product, threads = check_matmul(a, b, out, threads)
    kernel = lib.ck_matmul_f32 if product.dtype == np.float32 else lib.ck_matmul_f64
    kernel(
        *(_address(a), *batch_strides(a), _address(b), *batch_strides(b), _address(product)),
        *(prod(product.shape[:-2]), *a.shape[-2:], b.shape[-1], threads),
    )
    return product if out is None else out
