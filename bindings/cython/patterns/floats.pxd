# Arrays of float64, for pages that have called import_array().

cimport numpy as cnp


cdef inline object not_none(values):
    """Return the argument. A memoryview that is a variable would take None."""
    if values is None:
        raise TypeError("values must be an array, not None")
    return values


cdef inline int check_aligned(size_t address, Py_ssize_t size) except -1:
    """Raise unless the items are aligned, which a memoryview does not check."""
    if address % sizeof(double) and size:
        raise ValueError("values must be aligned")
    return 0


cdef inline cnp.ndarray new_floats(cnp.npy_intp size):
    """Return an uninitialised array. Raise ValueError if size < 0."""
    return cnp.PyArray_SimpleNew(1, &size, cnp.NPY_FLOAT64)
