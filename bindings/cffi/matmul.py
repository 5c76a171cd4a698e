"""matmul through cffi, API mode.

Shows:  a C struct made of a numpy array by ffi.new; array memory borrowed by ffi.from_buffer; the
        GIL released, as cffi does around every call.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  a struct made by ffi.new keeps nothing alive that its fields point to: what from_buffer
        returns must stay referenced until the call returns. from_buffer takes only C-contiguous
        arrays; ffi.cast takes the address of any array, but keeps nothing alive either.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.arrays import int64, ndarray_of
from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.errors import matmul_error
from ffi_cookbook.bindings.protocol import Matrix

# ---- arguments -----------------------------------------------------------------------------

_SIZES = {np.dtype(np.float32): lib.CK_FLOAT32, np.dtype(np.float64): lib.CK_FLOAT64}
_DTYPES = {size: dtype for dtype, size in _SIZES.items()}
_ARRAY, _ERROR = ffi.typeof("ck_array *"), ffi.typeof("ck_error *")
_BYTES, _VOID = ffi.typeof("char[]"), ffi.typeof("void *")


def _describe(array: Matrix, *, writable: bool = False) -> tuple[Any, Any]:
    """Return a ck_array, and the memory that it points to."""
    if array.flags.c_contiguous:
        data = ffi.from_buffer(_BYTES, array, require_writable=writable)  # else ValueError
    else:
        data = ffi.cast(_VOID, array.ctypes.data)
    dtype = _SIZES.get(array.dtype, 0)
    return ffi.new(_ARRAY, (data, dtype, array.ndim, array.shape[:3], array.strides[:3])), data


# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """Return a @ b; see protocol.Backend."""
    threads = int64(threads)  # first: it can run code that changes the arrays
    a, b = ndarray_of("a", a), ndarray_of("b", b)
    (x, _a), (y, _b), error = _describe(a), _describe(b), ffi.new(_ERROR)
    if out is None:
        product = ffi.new(_ARRAY)
        if lib.ck_matmul_shape(x, y, product, error):
            raise matmul_error(_values(error))
        filled = np.empty(list(product.shape)[: product.ndim], _DTYPES[product.dtype])
        product.data = _out = ffi.from_buffer(_BYTES, filled, require_writable=True)
    else:
        filled = ndarray_of("out", out)
        product, _out = _describe(filled, writable=True)
    if lib.ck_matmul(x, y, product, threads, error):
        raise matmul_error(_values(error), filled)
    return filled if out is None else out


def _values(error: Any) -> tuple[int, ...]:
    return ffi.unpack(ffi.cast("int64_t *", error), 6)
