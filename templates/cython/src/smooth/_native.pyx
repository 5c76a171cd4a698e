# cython: binding=False
# By default, methods do not check `self`: Average.update(3, x) would read the handle of an int.
cimport cython
import numpy as np
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.math cimport isfinite
from libc.stdint cimport uint32_t

cdef extern from "smooth.h" nogil:  # the C compiler checks these declarations
    ctypedef struct smooth_average:
        pass
    enum:
        SMOOTH_OK
        SMOOTH_MEMORY
    const char *smooth_message(int error)
    uint32_t smooth_crc32(const void *data, size_t size)
    int smooth_create(double alpha, smooth_average **average)
    void smooth_free(smooth_average *average)
    int smooth_update(smooth_average *average, const double *x, double *y, size_t n)


cdef int check(int code) except -1:  # -1 says that an exception is set
    if code == SMOOTH_MEMORY:
        raise MemoryError
    if code != SMOOTH_OK:
        raise ValueError(smooth_message(code).decode())
    return 0


cdef const double[::1] doubles(array):
    """Return the numbers of a float64 array of one dimension."""
    array = np.asarray(array)
    if array.dtype != np.float64:  # Cython 3.3 crashes on a record such as [("a", "f8"), ("b", "i4")]
        raise TypeError(f"x must be float64, not {array.dtype}")
    cdef const double[::1] x = array
    if x.shape[0] > 0 and <size_t>&x[0] % sizeof(double):
        raise ValueError("x must be aligned")
    return x


@cython.boundscheck(False)
@cython.wraparound(False)
def ema(x, double alpha):
    """Return the exponential moving average of a float64 array, in a loop written in Cython."""
    cdef const double[::1] values = doubles(x)  # after alpha was converted: a __float__ may change x
    result = np.empty(values.shape[0])
    cdef double[::1] y = result
    cdef double average = 0
    cdef Py_ssize_t i
    if not 0 < alpha <= 1:
        raise ValueError("alpha must be above 0 and at most 1")
    for i in range(values.shape[0]):
        if not isfinite(values[i]):
            raise ValueError("x must be finite")
        average = values[i] if i == 0 else average + alpha * (values[i] - average)
        y[i] = average
    return result


def crc32(data):
    """Return the CRC-32 of a bytes-like object."""
    cdef Py_buffer view
    cdef uint32_t crc
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    with nogil:
        crc = smooth_crc32(view.buf, view.len)
    PyBuffer_Release(&view)
    return crc


cdef class Average:
    """An exponential moving average that goes on from call to call."""

    cdef smooth_average *handle  # NULL until __cinit__ has created it

    def __cinit__(self, double alpha):
        check(smooth_create(alpha, &self.handle))

    def __dealloc__(self):
        smooth_free(self.handle)

    def update(self, x):
        """Feed a float64 array and return the average after each value."""
        cdef const double[::1] values = doubles(x)
        result = np.empty(values.shape[0])
        cdef double[::1] y = result
        if values.shape[0] > 0:  # there is no &values[0] in an empty array
            check(smooth_update(self.handle, &values[0], &y[0], values.shape[0]))
        return result
