"""matmul through cffi, API mode.

Shows:  numpy arrays handed to C as `void *` and strides; the GIL released, as cffi does
        around every call.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  ffi.cast makes an address that keeps nothing alive: the arrays must stay referenced until
        the call returns. ffi.from_buffer keeps them and is quicker, but takes only C-contiguous
        ones.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from bindings.cffi.library import ffi, lib
from bindings.matrices import batch_strides, check_matmul
from bindings.protocol import Matrix

# ---- arguments -----------------------------------------------------------------------------

_BYTES, _VOID = ffi.typeof("char[]"), ffi.typeof("void *")


def _address(array: Matrix) -> Any:
    if array.flags.c_contiguous:
        return ffi.from_buffer(_BYTES, array)
    return ffi.cast(_VOID, array.ctypes.data)


# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """a @ b; see bindings.protocol.Backend.matmul."""
    a, b, product, threads = check_matmul(a, b, out, threads)
    if product.dtype == np.float32:
        kernel, pointer = lib.ck_matmul_f32, "float *"
    else:
        kernel, pointer = lib.ck_matmul_f64, "double *"
    memory = _address(product)
    kernel(
        *(_address(a), *batch_strides(a), _address(b), *batch_strides(b)),
        *(ffi.cast(pointer, memory), prod(product.shape[:-2])),
        *(*a.shape[-2:], b.shape[-1], threads),
    )
    return product if out is None else out
