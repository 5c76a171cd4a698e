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
    pass  # TODO: what you need from quantile.h


def quantile(values, q):
    # TODO: the C function has the same name; see "C name specification" in the text
    return 0.0
