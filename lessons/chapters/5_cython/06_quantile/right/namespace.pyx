# The Python function has another name in C, and is published under the one that is asked for.
cdef extern from "quantile.h":
    enum: QUANTILE_OK
    enum: QUANTILE_MEMORY
    int quantile(const double *values, size_t n, double q, double *result)
    const char *quantile_message(int status)


def _quantile(values not None, double q):
    cdef const double[::1] view = values
    cdef double result = 0
    cdef int status = quantile(&view[0] if view.size else NULL, view.size, q, &result)
    if status == QUANTILE_MEMORY:
        raise MemoryError(str(quantile_message(status), "ascii"))
    if status != QUANTILE_OK:
        raise ValueError(str(quantile_message(status), "ascii"))
    return result


globals()["quantile"] = _quantile
