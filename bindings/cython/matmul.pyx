# cython: freethreading_compatible=True, binding=False, cdivision=True
# cython: embedsignature=True, embedsignature.format=clinic
"""matmul through Cython, with the kernel of cython_src/matmul_batch.pxd.

Shows:  NumPy's C API by cimport; checks written as Python that run as C; a struct on the stack; the
        GIL released around a kernel; memory that an extension type frees (memory.pxi).
Build:  cython -3 -I cython_src matmul.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  `cnp.ndarray[float, ndim=2]` and typed memoryviews refuse a wrong dtype with ValueError and
        cannot be both float32 and float64 without a fused type, hence the checks by hand; forget
        import_array() and the first PyArray_ call crashes.
"""

cimport numpy as cnp
from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from isa cimport chosen_isa
from matmul_batch cimport Batch, multiply_batch, plan_batch, workspace_of
from matmul_kernel cimport Matrix, Product, Tile, tile_for

cnp.import_array()

include "memory.pxi"
include "threads.pxi"

cdef Tile single_tile = tile_for(chosen_isa(), True)
cdef Tile double_tile = tile_for(chosen_isa(), False)


# ---- arguments -----------------------------------------------------------------------------------


cdef cnp.ndarray as_matrices(object x, str name):
    if not isinstance(x, cnp.ndarray):
        raise TypeError(f"{name} must be a numpy.ndarray, not {type(x).__name__}")
    cdef cnp.ndarray array = x
    cdef int kind = cnp.PyArray_TYPE(array)
    if kind not in (cnp.NPY_FLOAT32, cnp.NPY_FLOAT64) or cnp.PyArray_ISBYTESWAPPED(array):
        raise TypeError(f"{name} must be float32 or float64 in native order, not {array.dtype!r}")
    return array


cdef int check_ndim(cnp.ndarray array, str name) except -1:
    if cnp.PyArray_NDIM(array) not in (2, 3):
        raise ValueError(f"{name} must have 2 or 3 dimensions, not {cnp.PyArray_NDIM(array)}")
    return 0


cdef tuple as_tuple(int ndim, const cnp.npy_intp *shape):
    return tuple([shape[i] for i in range(ndim)])


cdef bint may_overlap(cnp.ndarray array, cnp.ndarray out):
    """Whether the memory between its first and last element meets that of `out`, without gaps."""
    cdef Py_ssize_t first = <Py_ssize_t>cnp.PyArray_BYTES(array), last = first, extent
    cdef Py_ssize_t low = <Py_ssize_t>cnp.PyArray_BYTES(out), high = low + cnp.PyArray_NBYTES(out)
    cdef int i
    for i in range(cnp.PyArray_NDIM(array)):
        extent = (cnp.PyArray_DIM(array, i) - 1) * cnp.PyArray_STRIDE(array, i)
        first += min(extent, 0)
        last += max(extent, 0)
    if cnp.PyArray_SIZE(array) == 0 or low == high:
        return False
    return first < high and low < last + cnp.PyArray_ITEMSIZE(array)


cdef int check_out(cnp.ndarray out, cnp.ndarray a, cnp.ndarray b, int ndim,
                   const cnp.npy_intp *shape) except -1:
    cdef int given = cnp.PyArray_NDIM(out)
    cdef const cnp.npy_intp *dims = cnp.PyArray_DIMS(out)  # a subclass may have another `shape`
    check_ndim(out, "out")
    if given != ndim or memcmp(dims, shape, ndim * sizeof(cnp.npy_intp)) != 0:
        raise ValueError(
            f"out must have shape {as_tuple(ndim, shape)}, not {as_tuple(given, dims)}")
    if not cnp.PyArray_ISCARRAY(out):
        raise ValueError("out must be C-contiguous, aligned and writable")
    if may_overlap(a, out) or may_overlap(b, out):
        raise ValueError("out must not overlap a or b")
    return 0


cdef cnp.ndarray new_array(int ndim, cnp.npy_intp *shape, int kind):
    try:
        return cnp.PyArray_SimpleNew(ndim, shape, kind)
    except ValueError as error:  # what NumPy says when the size overflows
        raise MemoryError("the result does not fit in memory") from error


# ---- kernel --------------------------------------------------------------------------------------


cdef struct Matrices:
    # An array as the kernel sees it: a batch of matrices, of one where there are two dimensions.
    Py_ssize_t count, rows, columns, next
    Matrix first


cdef Matrices matrices(cnp.ndarray array):
    cdef cnp.npy_intp *shape = cnp.PyArray_DIMS(array)
    cdef cnp.npy_intp *strides = cnp.PyArray_STRIDES(array)
    cdef int d = cnp.PyArray_NDIM(array) - 2  # where the matrix begins
    cdef Py_ssize_t count = 1 if d == 0 else shape[0]
    return Matrices(count, shape[d], shape[d + 1], 0 if count == 1 else strides[0],
                    Matrix(cnp.PyArray_BYTES(array), strides[d], strides[d + 1]))


def matmul(a, b, *, out=None, threads=1):
    """a @ b; see bindings.protocol.Backend.matmul."""
    cdef Py_ssize_t at_most = checked_threads(threads)
    cdef cnp.ndarray left = as_matrices(a, "a"), right = as_matrices(b, "b"), z
    cdef int kind = cnp.PyArray_TYPE(left)
    if kind != cnp.PyArray_TYPE(right):
        raise TypeError("a and b must have the same dtype")
    z = None if out is None else as_matrices(out, "out")
    if z is not None and cnp.PyArray_TYPE(z) != kind:
        raise TypeError("out must have the dtype of a and b")
    check_ndim(left, "a")
    check_ndim(right, "b")
    cdef Matrices x = matrices(left), y = matrices(right)
    if x.columns != y.rows:
        raise ValueError(f"a has {x.columns} columns but b has {y.rows} rows")
    if x.count != y.count and x.count != 1 and y.count != 1:
        raise ValueError(f"a has {x.count} matrices but b has {y.count}")

    cdef cnp.npy_intp[3] shape = [y.count if x.count == 1 else x.count, x.rows, y.columns]
    cdef bint batched = cnp.PyArray_NDIM(left) == 3 or cnp.PyArray_NDIM(right) == 3
    if z is None:
        z = new_array(2 + batched, shape + (not batched), kind)
    else:
        check_out(z, left, right, 2 + batched, shape + (not batched))

    cdef Tile tile = single_tile if kind == cnp.NPY_FLOAT32 else double_tile
    cdef Product item = Product(x.first, y.first, cnp.PyArray_BYTES(z), x.rows, x.columns,
                                y.columns, tile, NULL, 0, 1)
    cdef Batch batch = Batch(item, shape[0], x.next, y.next, 1)
    plan_batch(&batch, at_most)
    cdef Memory workspace = Memory(workspace_of(&batch))
    batch.item.workspace = <char *>workspace.data
    with nogil:
        multiply_batch(&batch)
    return z
