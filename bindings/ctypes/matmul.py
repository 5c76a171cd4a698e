"""matmul through ctypes.

Shows:  a C struct declared as a Structure, made of a numpy array and passed by address; the GIL
        released, because the library was opened with CDLL.
Build:  nothing but the shared library.
Bites:  nothing checks that a Structure has the fields of the header. A struct holds a bare address:
        the array must stay referenced until the call returns. `array.ctypes.data` is the address of
        any array; from_buffer is quicker, but takes only writable C-contiguous memory.
"""

from __future__ import annotations

from ctypes import POINTER, Structure, addressof, c_int, c_int32, c_int64, c_void_p

import numpy as np

from ffi_cookbook.bindings._glue.arrays import int64, ndarray_of
from ffi_cookbook.bindings.ctypes.library import Error, declare, lib, memory
from ffi_cookbook.bindings.errors import matmul_error
from ffi_cookbook.bindings.protocol import Matrix

# ---- arguments -----------------------------------------------------------------------------

_SIZES = {np.dtype(np.float32): 4, np.dtype(np.float64): 8}  # CK_FLOAT32, CK_FLOAT64
_DTYPES = {size: dtype for dtype, size in _SIZES.items()}


class Array(Structure):
    """ck_array."""

    _fields_ = [
        ("data", c_void_p),
        ("dtype", c_int32),
        ("ndim", c_int32),
        ("shape", c_int64 * 3),
        ("strides", c_int64 * 3),
    ]


def _describe(array: Matrix) -> Array:
    data = addressof(memory(array)) if array.flags.carray else array.ctypes.data
    dtype = _SIZES.get(array.dtype, 0)
    return Array(data, dtype, array.ndim, array.shape[:3], array.strides[:3])


# ---- kernel --------------------------------------------------------------------------------

_ARRAYS = (POINTER(Array), POINTER(Array), POINTER(Array))
_ck_matmul_shape = declare(lib, "ck_matmul_shape", c_int, *_ARRAYS, POINTER(Error))
_ck_matmul = declare(lib, "ck_matmul", c_int, *_ARRAYS, c_int64, POINTER(Error))


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix:
    """Return a @ b; see protocol.Backend."""
    threads = int64(threads)  # first: it can run code that changes the arrays
    a, b = ndarray_of("a", a), ndarray_of("b", b)
    x, y, error = _describe(a), _describe(b), Error()
    if out is None:
        product = Array()
        if _ck_matmul_shape(x, y, product, error):
            raise matmul_error(error.values())
        filled = np.empty(product.shape[: product.ndim], _DTYPES[product.dtype])
        product.data = addressof(memory(filled))
    else:
        filled = ndarray_of("out", out)
        if not filled.flags.writeable:
            raise ValueError("out must be writable")
        product = _describe(filled)
    if _ck_matmul(x, y, product, threads, error):
        raise matmul_error(error.values(), filled)
    return filled if out is None else out
