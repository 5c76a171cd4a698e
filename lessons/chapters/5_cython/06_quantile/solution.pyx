"""Bind a C library: write quantile(values, q) over the function of quantile.h, with exceptions.

    >>> exercise.quantile(np.array([1.0, 2.0, 4.0]), 0.75)
    3.0
    >>> exercise.quantile(np.array([1.0]), 1.5)
    Traceback (most recent call last):
      ...
    ValueError: q must be from 0 to 1

`values` is a C-contiguous 1-D array of float64, which may be read-only; any other array
raises ValueError. The status QUANTILE_MEMORY becomes MemoryError, and any other but QUANTILE_OK
becomes ValueError, each with the library's own text. That holds for an empty array too.
"""


cdef extern from "quantile.h":
#:     pass  # TODO: what you need from quantile.h
#:
#:
#: def quantile(values, q):
#:     # TODO: the C function has the same name; see "C name specification" in the text
#:     return 0.0
# BEGIN SOLUTION
    ctypedef enum status "enum quantile_status":
        QUANTILE_OK
        QUANTILE_MEMORY

    status c_quantile "quantile"(const double *values, size_t n, double q, double *result)
    const char *quantile_message(status code)


def quantile(const double[::1] values not None, double q):
    cdef size_t n = values.shape[0]
    cdef double result = 0
    cdef status code = c_quantile(&values[0] if n > 0 else NULL, n, q, &result)
    if code == QUANTILE_OK:
        return result
    message = quantile_message(code).decode()
    if code == QUANTILE_MEMORY:
        raise MemoryError(message)
    raise ValueError(message)
# END SOLUTION
