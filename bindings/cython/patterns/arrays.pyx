# cython: freethreading_compatible=True, boundscheck=False, wraparound=False
"""The patterns through Cython: arrays of float64.

Shows:  a loop over a typed memoryview, as Cython's tutorial has it; views that check dimensions and
        layout and borrow; `const` for memory that may be read-only; the GIL released over a view; a
        new ndarray; tensors of any library, by functions of a C header.
Build:  cython -3 arrays.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  an argument may be a memoryview (`const double[::1] values not None`), but Cython 3.3
        crashes if it is given some records; it is borrowed before the arguments after it are
        converted, and __float__ may free what it borrowed. So each view is made in the body, after
        a check of the dtype. Its strides are in bytes; it is a Python object, made for the call
        (`fast` avoids it); without import_array() the first PyArray_ call crashes.
"""

import numpy as np

cimport numpy as cnp

from ffi_cookbook.bindings.cython.patterns.cookbook cimport (
    ck_doubled, ck_iota, ck_scale, ck_scaled, ck_sum_floats, ck_sum_strided)

cnp.import_array()

# ---- as documented -------------------------------------------------------------------------------


def _idiomatic_array_out(Py_ssize_t n):
    """Call NumPy as Python would, and make a memoryview to fill the array."""
    array = np.empty(n)
    cdef double[::1] values = array
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = i
    return array


# ---- checked -------------------------------------------------------------------------------------
# NumPy's C API makes an array without a call in Python or a view; a view does not check alignment.


cdef inline object float64_only(values):
    """Return what a memoryview may be made of: Cython 3.3 crashes on a record of f8 and i4."""
    cdef bint right
    if cnp.PyArray_Check(values):
        if not cnp.PyArray_CheckExact(values):  # a subclass may export another buffer than its own
            values = cnp.PyArray_FROM_OF(values, cnp.NPY_ARRAY_ENSUREARRAY)
        right = cnp.PyArray_TYPE(<cnp.ndarray>values) == cnp.NPY_FLOAT64
    elif values is None:  # a memoryview that is a variable would take it
        raise TypeError("values must be an array, not None")
    else:
        values = memoryview(values)  # one export, which is checked here and used later
        right = values.format.lstrip("@=<>^") == "d"
    if not right:
        raise ValueError("values must be an array of float64")
    return values


cdef inline int check_aligned(size_t address, Py_ssize_t size) except -1:
    """Raise unless the items are aligned, which a memoryview does not check."""
    if address % sizeof(double) and size:
        raise ValueError("values must be aligned")
    return 0


cdef inline cnp.ndarray new_floats(cnp.npy_intp size):
    """Return an uninitialised array. Raise ValueError if size < 0."""
    return cnp.PyArray_SimpleNew(1, &size, cnp.NPY_FLOAT64)


def array_in(values, /):
    """Return the sum of a C-contiguous float64 array."""
    cdef const double[::1] view = float64_only(values)
    check_aligned(<size_t>&view[0], view.shape[0])
    return ck_sum_floats(&view[0], view.shape[0])


def array_in_nogil(values, /):
    """Return the sum of an array, added up without the GIL."""
    cdef const double[::1] view = float64_only(values)
    cdef double total
    check_aligned(<size_t>&view[0], view.shape[0])
    with nogil:
        total = ck_sum_floats(&view[0], view.shape[0])
    return total


def strided_in(values, /):
    """Return the sum of a float64 array of any stride."""
    cdef const double[:] view = float64_only(values)
    check_aligned(<size_t>&view[0] | <size_t>view.strides[0], view.shape[0])
    return ck_sum_strided(&view[0], view.shape[0], view.strides[0])


def array_out(Py_ssize_t n, /):
    """Return a new array 0.0, 1.0 ... n - 1."""
    cdef cnp.ndarray array = new_floats(n)
    ck_iota(<double *>cnp.PyArray_DATA(array), n)
    return array


def array_map(values, /):
    """Return a new array with every item doubled."""
    cdef const double[::1] view = float64_only(values)
    check_aligned(<size_t>&view[0], view.shape[0])
    cdef cnp.ndarray out = new_floats(view.shape[0])
    ck_doubled(&view[0], view.shape[0], <double *>cnp.PyArray_DATA(out))
    return out


def array_inplace(values, double factor, /):
    """Multiply an array in place."""
    cdef double[::1] view = float64_only(values)
    check_aligned(<size_t>&view[0], view.shape[0])
    ck_scale(&view[0], view.shape[0], factor)


def scaled(values, double factor, /):
    """Return a new array, values * factor."""
    cdef const double[::1] view = float64_only(values)
    check_aligned(<size_t>&view[0], view.shape[0])
    cdef cnp.ndarray out = new_floats(view.shape[0])
    ck_scaled(&view[0], view.shape[0], factor, <double *>cnp.PyArray_DATA(out))
    return out


# ---- tensors of any library ----------------------------------------------------------------------

cdef extern from "dlpack.h":
    ctypedef struct DLPackDoubles:  # a pointer, a size and what keeps the memory alive
        pass

    object dlpack_names()
    int dlpack_borrow(object names, object values, DLPackDoubles *found) except -1
    int dlpack_view(object names, object values, DLPackDoubles *found) except -1
    double dlpack_sum(DLPackDoubles values)  # which also releases them
    object dlpack_new(object names, object like, Py_ssize_t n, void (*fill)(double *, size_t))

cdef object names = dlpack_names()


def dlpack_in(values, /):
    """Return the sum of a float64 tensor of any library."""
    cdef DLPackDoubles found
    dlpack_borrow(names, values, &found)
    return dlpack_sum(found)


def tensor_in(values, /):
    """Return the sum of a float64 tensor, taken without Python if its library can."""
    cdef DLPackDoubles found
    dlpack_view(names, values, &found)
    return dlpack_sum(found)


def tensor_out(like, Py_ssize_t n, /):
    """Return a new tensor 0.0, 1.0 ... n - 1 of the library of another."""
    return dlpack_new(names, like, n, ck_iota)
