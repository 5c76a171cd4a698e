"""matmul through cffi, API mode.

Shows:  numpy arrays handed to C as `void *` and strides; the GIL released, as cffi does
        around every call.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  ffi.cast makes an address that keeps nothing alive: the arrays must stay referenced until
        the call returns. ffi.from_buffer would keep them, but takes only C-contiguous ones.
"""

from __future__ import annotations

from math import prod
from typing import cast

import numpy as np

from bindings.cffi.library import ffi, lib
from bindings.checks import batch_strides, check_matmul, check_threads
from bindings.protocol import Matrix

# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """a @ b; see bindings.protocol.Backend.matmul."""
    out = check_matmul(a, b, out, threads)
    if out.dtype == np.float32:
        kernel, pointer = lib.ck_matmul_f32, "float *"
    else:
        kernel, pointer = lib.ck_matmul_f64, "double *"
    kernel(
        *(ffi.cast("void *", a.ctypes.data), *batch_strides(a)),
        *(ffi.cast("void *", b.ctypes.data), *batch_strides(b)),
        *(ffi.cast(pointer, out.ctypes.data), prod(out.shape[:-2])),
        *(*a.shape[-2:], b.shape[-1], check_threads(threads)),
    )
    return cast("Matrix", out)
