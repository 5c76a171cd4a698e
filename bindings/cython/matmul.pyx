# cython: freethreading_compatible=True, binding=False, cdivision=True
# cython: embedsignature=True, embedsignature.format=clinic
"""matmul through Cython, with the kernel of cython_src/matmul_kernel.pxd.

Shows:  NumPy's C API by cimport; checks written as Python that run as C; a struct on the stack; the
        GIL released around a kernel; memory that an extension type frees (memory.pxi).
Build:  cython -3 -I cython_src matmul.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  `cnp.ndarray[float, ndim=2]` and typed memoryviews refuse a wrong dtype with ValueError and
        cannot be both float32 and float64 without a fused type, hence the checks by hand; forget
        import_array() and the first PyArray_ call crashes.
"""

cimport numpy as cnp
from cpython.long cimport PyLong_AsSsize_t
from libc.stdint cimport uint8_t

from isa cimport chosen_isa
from matmul_kernel cimport Matrix, Product, Tile, multiply, plan, tile_for

cnp.import_array()

include "memory.pxi"

cdef Tile single_tile = tile_for(chosen_isa(), True)
cdef Tile double_tile = tile_for(chosen_isa(), False)


# ---- arguments -----------------------------------------------------------------------------------


cdef cnp.ndarray as_matrix(object x, str name):
    if not isinstance(x, cnp.ndarray):
        raise TypeError(f"{name} must be a numpy.ndarray, not {type(x).__name__}")
    cdef cnp.ndarray array = x
    cdef int kind = cnp.PyArray_TYPE(array)
    if kind not in (cnp.NPY_FLOAT32, cnp.NPY_FLOAT64) or cnp.PyArray_ISBYTESWAPPED(array):
        raise TypeError(f"{name} must be float32 or float64 in native order, not {array.dtype!r}")
    if cnp.PyArray_NDIM(array) != 2:
        raise ValueError(f"{name} must have 2 dimensions, not {cnp.PyArray_NDIM(array)}")
    return array


cdef (Py_ssize_t, Py_ssize_t) memory_bounds(cnp.ndarray array):
    """The first and one past the last byte that its elements occupy."""
    cdef Py_ssize_t low = <Py_ssize_t>cnp.PyArray_BYTES(array), high = low, extent
    cdef int i
    if cnp.PyArray_SIZE(array) == 0:
        return low, low
    for i in range(2):
        extent = (cnp.PyArray_DIM(array, i) - 1) * cnp.PyArray_STRIDE(array, i)
        low += min(extent, 0)
        high += max(extent, 0)
    return low, high + cnp.PyArray_ITEMSIZE(array)


cdef bint may_overlap(cnp.ndarray x, cnp.ndarray y):
    cdef (Py_ssize_t, Py_ssize_t) first = memory_bounds(x), second = memory_bounds(y)
    return first[0] < second[1] and second[0] < first[1]


cdef cnp.ndarray check_out(object x, cnp.ndarray a, cnp.ndarray b):
    cdef cnp.ndarray out = as_matrix(x, "out")
    cdef Py_ssize_t m = cnp.PyArray_DIM(a, 0), n = cnp.PyArray_DIM(b, 1)
    if cnp.PyArray_TYPE(out) != cnp.PyArray_TYPE(a):
        raise TypeError("out must have the dtype of a and b")
    if cnp.PyArray_DIM(out, 0) != m or cnp.PyArray_DIM(out, 1) != n:
        raise ValueError(f"out must have shape ({m}, {n})")
    if not cnp.PyArray_ISCARRAY(out):
        raise ValueError("out must be C-contiguous, aligned and writable")
    if may_overlap(out, a) or may_overlap(out, b):
        raise ValueError("out must not overlap a or b")
    return out


cdef cnp.ndarray new_matrix(Py_ssize_t rows, Py_ssize_t columns, int kind):
    cdef cnp.npy_intp[2] shape = [rows, columns]
    try:
        return cnp.PyArray_SimpleNew(2, shape, kind)
    except ValueError as error:  # what NumPy says when the size overflows
        raise MemoryError(f"({rows}, {columns}) does not fit in memory") from error


# ---- kernel --------------------------------------------------------------------------------------


cdef Matrix view(cnp.ndarray array):
    return Matrix(cnp.PyArray_BYTES(array), cnp.PyArray_STRIDE(array, 0),
                  cnp.PyArray_STRIDE(array, 1))


def matmul(a, b, *, out=None, threads=1):
    """a @ b; see bindings.protocol.Backend.matmul."""
    cdef Py_ssize_t at_most = PyLong_AsSsize_t(threads)
    if at_most < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    cdef cnp.ndarray x = as_matrix(a, "a"), y = as_matrix(b, "b"), z
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Py_ssize_t m = cnp.PyArray_DIM(x, 0), k = cnp.PyArray_DIM(x, 1), n = cnp.PyArray_DIM(y, 1)
    if kind != cnp.PyArray_TYPE(y):
        raise TypeError("a and b must have the same dtype")
    if k != cnp.PyArray_DIM(y, 0):
        raise ValueError(f"a has {k} columns but b has {cnp.PyArray_DIM(y, 0)} rows")
    z = new_matrix(m, n, kind) if out is None else check_out(out, x, y)

    cdef Tile tile = single_tile if kind == cnp.NPY_FLOAT32 else double_tile
    cdef Product product = Product(view(x), view(y), cnp.PyArray_BYTES(z), m, k, n, tile, NULL, 0,
                                   1)
    plan(&product, at_most)
    cdef Memory workspace = Memory(product.parts * product.workspace_size)
    product.workspace = <char *>workspace.data
    with nogil:
        multiply(&product)
    return z
