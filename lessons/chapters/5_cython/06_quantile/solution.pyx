cdef extern from "quantile.h":
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
