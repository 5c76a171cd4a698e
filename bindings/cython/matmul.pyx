# cython: freethreading_compatible=True, binding=False, cdivision=True
# cython: embedsignature=True, embedsignature.format=clinic
"""matmul through Cython, with the kernel of cython_src/matmul_arrays.pxd.

Shows:  arguments typed as arrays, NumPy's C API by cimport, structs on the stack, the GIL released
        around a long kernel.
Build:  cython -3 -I cython_src matmul.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  a typed memoryview has one number of dimensions and one dtype, or a fused type, which makes
        a function for each combination: here a struct describes any array. Without import_array()
        the first PyArray_ call crashes.
"""

cimport numpy as cnp

from bpe_error cimport Error
from isa cimport chosen_isa
from matmul_arrays cimport Array, is_brief, multiply_arrays, product_of
from matmul_kernel cimport Tile, tile_for

from ffi_cookbook.bindings.errors import matmul_error

cnp.import_array()

cdef Tile single_tile = tile_for(chosen_isa(), True)
cdef Tile double_tile = tile_for(chosen_isa(), False)


# ---- arguments -----------------------------------------------------------------------------------


cdef Array describe(cnp.ndarray array):
    """Describe an array for the kernel, which checks it."""
    cdef int i, ndim = cnp.PyArray_NDIM(array), kind = cnp.PyArray_TYPE(array)
    cdef Array view = Array(cnp.PyArray_BYTES(array), 0, ndim)
    if not cnp.PyArray_ISBYTESWAPPED(array):
        view.dtype = 4 if kind == cnp.NPY_FLOAT32 else 8 if kind == cnp.NPY_FLOAT64 else 0
    for i in range(min(ndim, 3)):
        view.shape[i] = cnp.PyArray_DIM(array, i)
        view.strides[i] = cnp.PyArray_STRIDE(array, i)
    return view


# ---- kernel --------------------------------------------------------------------------------------


cdef refuse(Error error, out):
    raise matmul_error((error.code, error.offset, error.record, error.field, error.expected,
                        error.actual), out)


def matmul(cnp.ndarray a not None, cnp.ndarray b not None, *, cnp.ndarray out=None,
           Py_ssize_t threads=1):
    """Return a @ b; see ffi_cookbook.bindings.protocol.Backend."""
    cdef Array x = describe(a), y = describe(b), z
    cdef cnp.npy_intp[3] shape
    cdef Error error
    cdef int code
    if out is None:
        if product_of(&x, &y, &z, &error) != 0:
            refuse(error, None)
        shape = [z.shape[0], z.shape[1], z.shape[2]]
        out = cnp.PyArray_SimpleNew(z.ndim, shape, cnp.PyArray_TYPE(a))
    elif not cnp.PyArray_ISWRITEABLE(out):
        raise ValueError("out must be writable")
    z = describe(out)
    cdef Tile tile = single_tile if z.dtype == 4 else double_tile
    if is_brief(&x, &y):
        code = multiply_arrays(&x, &y, &z, threads, tile, &error)
    else:
        with nogil:
            code = multiply_arrays(&x, &y, &z, threads, tile, &error)
    if code != 0:
        refuse(error, out)
    return out
