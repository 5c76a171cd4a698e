# cython: freethreading_compatible=True, binding=False, cdivision=True
# cython: embedsignature=True, embedsignature.format=clinic
"""matmul through Cython, with the kernel of the C library.

Shows:  arguments typed as arrays, NumPy's C API by cimport, C structs on the stack, the GIL
        released around a long kernel.
Build:  cython -3 matmul.pyx, then the C compiler (bindings/cython/CMakeLists.txt).
Bites:  a typed memoryview has one number of dimensions and one dtype, or a fused type, which makes
        a function for each combination: here a struct describes any array. Without import_array()
        the first PyArray_ call crashes.
"""

cimport numpy as cnp

from ffi_cookbook.bindings.cython.cookbook cimport (
    CK_FLOAT32, CK_FLOAT64, CK_OK, ck_array, ck_error, ck_matmul, ck_matmul_is_brief,
    ck_matmul_shape)

from ffi_cookbook.bindings.errors import matmul_error

cnp.import_array()


# ---- arguments -----------------------------------------------------------------------------------


cdef ck_array describe(cnp.ndarray array) noexcept:
    """Describe an array for the kernel, which checks it."""
    cdef int i, ndim = cnp.PyArray_NDIM(array), kind = cnp.PyArray_TYPE(array)
    cdef ck_array view
    view.data, view.ndim, view.dtype = cnp.PyArray_DATA(array), ndim, 0
    if not cnp.PyArray_ISBYTESWAPPED(array):
        if kind == cnp.NPY_FLOAT32:
            view.dtype = CK_FLOAT32
        elif kind == cnp.NPY_FLOAT64:
            view.dtype = CK_FLOAT64
    for i in range(min(ndim, 3)):
        view.shape[i] = cnp.PyArray_DIM(array, i)
        view.strides[i] = cnp.PyArray_STRIDE(array, i)
    return view


# ---- kernel --------------------------------------------------------------------------------------


cdef refuse(ck_error error, out):
    raise matmul_error((error.code, error.offset, error.record, error.field, error.expected,
                        error.actual), out)


def matmul(cnp.ndarray a not None, cnp.ndarray b not None, *, cnp.ndarray out=None,
           Py_ssize_t threads=1):
    """Return a @ b; see protocol.Backend."""
    cdef ck_array x = describe(a), y = describe(b), z
    cdef cnp.npy_intp[3] shape
    cdef ck_error error
    cdef int code
    if out is None:
        if ck_matmul_shape(&x, &y, &z, &error) != CK_OK:
            refuse(error, None)
        shape = [z.shape[0], z.shape[1], z.shape[2]]
        out = cnp.PyArray_SimpleNew(z.ndim, shape, cnp.PyArray_TYPE(a))
    elif not cnp.PyArray_ISWRITEABLE(out):
        raise ValueError("out must be writable")
    z = describe(out)
    if ck_matmul_is_brief(&x, &y):
        code = ck_matmul(&x, &y, &z, threads, &error)
    else:
        with nogil:
            code = ck_matmul(&x, &y, &z, threads, &error)
    if code != CK_OK:
        refuse(error, out)
    return out
