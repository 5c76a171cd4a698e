# cython: boundscheck=False
# A C function that raises for its caller; without the check, &values[0] of an empty array is fine.
cdef extern from "quantile.h":
    int c_quantile "quantile"(const double *values, size_t n, double q, double *result)
    const char *quantile_message(int status)
    int QUANTILE_MEMORY


cdef int check(int status) except -1:
    if status == 0:
        return 0
    text = quantile_message(status).decode("ascii")
    raise (MemoryError if status == QUANTILE_MEMORY else ValueError)(text)


def quantile(const double[::1] values not None, double q):
    cdef double result
    check(c_quantile(&values[0], values.shape[0], q, &result))
    return result
