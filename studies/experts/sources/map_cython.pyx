import numpy as np


def doubled(const double[::1] values):
    out = np.empty(values.shape[0])
    cdef double[::1] view = out
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        view[i] = 2 * values[i]
    return out
