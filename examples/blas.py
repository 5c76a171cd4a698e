"""An existing library, bound: OpenBLAS from the package scipy-openblas32, through ctypes.

Shows:  a function of an installed library, called without compiled glue: find the library, declare
        the function as its header does, convert arrays to its arguments.
Build:  nothing; `pip install scipy-openblas32`.
Bites:  the names have a prefix (scipy_), since SciPy and others include an OpenBLAS too. Importing
        the package would make its names global, and every SciPy module loaded later would bind to
        them instead of its own library. Here the library is found without an import, and its names
        stay local.
"""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_float, c_int, c_void_p
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.matmul import check_matmul
from ffi_cookbook.bindings.protocol import Matrix

ROW_MAJOR, NO_TRANS, TRANS = 101, 111, 112  # the enumerations of cblas.h
MOST = 2**31 - 1  # a C int, to which ctypes truncates a larger number

# ---- the library ---------------------------------------------------------------------------


def _opened() -> ctypes.CDLL:
    package = find_spec("scipy_openblas32")
    if package is None or package.origin is None:
        raise ImportError("scipy-openblas32 is not installed")
    (path,) = Path(package.origin).parent.glob("lib/libscipy_openblas.*")
    return ctypes.CDLL(str(path), mode=ctypes.RTLD_LOCAL)  # releases the GIL in every call


def _declared(name: str, real: type) -> Any:
    """cblas_?gemm: order, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc."""
    function = _lib[name]
    function.restype = None
    matrix = (c_void_p, c_int)
    function.argtypes = [c_int] * 6 + [real, *matrix, *matrix, real, *matrix]
    return function


_lib = _opened()
_sgemm = _declared("scipy_cblas_sgemm", c_float)
_dgemm = _declared("scipy_cblas_dgemm", c_double)

# ---- kernel --------------------------------------------------------------------------------


def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None) -> Matrix:
    """Return a @ b, (M,K) by (K,N), both float32 or both float64, in `out` or a new array.

    TypeError and ValueError are those of `protocol.Backend.matmul`; OverflowError if a side does
    not fit a C int. OpenBLAS uses as many threads as OPENBLAS_NUM_THREADS was set to when it
    was loaded.
    """
    a, b, product, _ = check_matmul(a, b, out, 1)
    if product.ndim != 2:
        raise ValueError("cblas_?gemm multiplies two matrices, not batches")
    (m, k), n = a.shape, b.shape[1]
    if max(m, k, n) > MOST:
        raise OverflowError(f"a side of {max(m, k, n)} does not fit the int of this BLAS")
    if product.size == 0 or k == 0:  # each BLAS handles empty matrices in its own way
        product.fill(0)
        return product if out is None else out
    a, trans_a, lda = _as_blas(a)
    b, trans_b, ldb = _as_blas(b)
    gemm = _sgemm if product.dtype == np.float32 else _dgemm
    left, right = (a.ctypes.data, lda), (b.ctypes.data, ldb)
    gemm(ROW_MAJOR, trans_a, trans_b, m, n, k, 1, *left, *right, 0, product.ctypes.data, n)
    return product if out is None else out


def _as_blas(matrix: Matrix) -> tuple[Matrix, int, int]:
    """Return the matrix, True if BLAS must transpose it, and its leading dimension.

    The leading dimension is the number of elements from one row to the next. Any other layout is
    copied.
    """
    size = matrix.itemsize
    for transpose, seen in ((NO_TRANS, matrix), (TRANS, matrix.T)):
        rows, columns = seen.shape
        row, column = seen.strides
        if rows == 1:  # there is no next row
            row = columns * size
        fits = columns * size <= row <= MOST * size and (column == size or columns == 1)
        if fits and matrix.flags.aligned:  # so that row is a whole number of elements
            return matrix, transpose, row // size
    return matrix.copy(order="C"), NO_TRANS, matrix.shape[1]
