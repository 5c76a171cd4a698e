# Arrays of float64, for pages that have called import_array().

cimport numpy as cnp


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
