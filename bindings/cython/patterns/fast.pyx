# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The patterns through Cython: the quickest calls, on arrays without a memoryview.

Shows:  NumPy's C API in place of the buffer protocol, which a memoryview uses.
Build:  cython -3 fast.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  cnp.ndarray takes arrays of any dtype and layout, so everything must be checked by hand.
"""

cimport numpy as cnp

from ffi_cookbook.bindings.cython.patterns.cookbook cimport ck_scale, ck_sum_floats, ck_sum_strided

cnp.import_array()


cdef inline double *doubles(cnp.ndarray array, int flags) except? NULL:
    if (cnp.PyArray_TYPE(array) != cnp.NPY_FLOAT64 or cnp.PyArray_NDIM(array) != 1
            or not cnp.PyArray_CHKFLAGS(array, flags) or cnp.PyArray_ISBYTESWAPPED(array)):
        raise ValueError("expected a one-dimensional float64 array, aligned, and laid out for this")
    return <double *>cnp.PyArray_DATA(array)


def array_in(cnp.ndarray values not None, /):
    """Save the memoryview, for NumPy arrays alone."""
    return ck_sum_floats(doubles(values, cnp.NPY_ARRAY_CARRAY_RO),
                         cnp.PyArray_DIM(values, 0))


def strided_in(cnp.ndarray values not None, /):
    """Save the memoryview, for NumPy arrays alone."""
    return ck_sum_strided(doubles(values, cnp.NPY_ARRAY_ALIGNED), cnp.PyArray_DIM(values, 0),
                          cnp.PyArray_STRIDE(values, 0))


def array_inplace(cnp.ndarray values not None, double factor, /):
    """Save the memoryview, for NumPy arrays alone."""
    ck_scale(doubles(values, cnp.NPY_ARRAY_CARRAY), cnp.PyArray_DIM(values, 0), factor)
