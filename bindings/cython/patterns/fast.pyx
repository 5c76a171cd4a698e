# cython: freethreading_compatible=True, binding=False
# cython: embedsignature=True, embedsignature.format=clinic
"""The patterns through Cython: the quickest calls, on arrays without a memoryview.

Shows:  NumPy's C API in place of the buffer protocol, which a memoryview uses.
Build:  cython -3 fast.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  cnp.ndarray takes arrays of any dtype and layout, so everything must be checked by hand.
"""

cimport numpy as cnp

from ffi_cookbook.bindings.cython.patterns.cookbook cimport ck_sum_floats

cnp.import_array()


def array_in(cnp.ndarray values not None, /):
    """Save the memoryview, for NumPy arrays alone."""
    if (cnp.PyArray_TYPE(values) != cnp.NPY_FLOAT64 or cnp.PyArray_NDIM(values) != 1
            or not cnp.PyArray_CHKFLAGS(values, cnp.NPY_ARRAY_CARRAY_RO)
            or cnp.PyArray_ISBYTESWAPPED(values)):
        raise ValueError("expected a one-dimensional float64 array, aligned and contiguous")
    return ck_sum_floats(<double *>cnp.PyArray_DATA(values), cnp.PyArray_DIM(values, 0))
