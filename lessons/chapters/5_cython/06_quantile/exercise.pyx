"""Bind a C library: quantile(values, q) by the function of quantile.h, with exceptions.

    >>> exercise.quantile(np.array([1.0, 2.0, 4.0]), 0.75)
    3.0
    >>> exercise.quantile(np.array([1.0]), 1.5)
    Traceback (most recent call last):
      ...
    ValueError: q must be from 0 to 1

`values` is a C-contiguous 1-D array of float64, which may be read-only; another array raises
ValueError. A status of QUANTILE_MEMORY becomes MemoryError, any other that is not QUANTILE_OK
becomes ValueError, each with the library's own text. That holds for an empty array too.
"""


cdef extern from "quantile.h":
    pass  # TODO: what is needed of quantile.h


def quantile(values, q):
    # TODO: the name is that of the C function too; see "C name specification" in the text
    return 0.0
