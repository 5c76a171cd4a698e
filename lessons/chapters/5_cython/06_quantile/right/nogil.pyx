# The whole header, and the GIL released around the call.
cdef extern from "quantile.h" nogil:
    cdef enum quantile_status:
        QUANTILE_OK
        QUANTILE_EMPTY
        QUANTILE_RANGE
        QUANTILE_NAN
        QUANTILE_MEMORY

    quantile_status quantile_of "quantile"(const double *, size_t, double, double *)
    const char *quantile_message(quantile_status)


EXCEPTIONS = {QUANTILE_MEMORY: MemoryError}


def quantile(const double[::1] values not None, double q):
    cdef double nothing = 0, result = 0
    cdef const double *first = &nothing
    cdef quantile_status status
    if values.shape[0]:
        first = &values[0]
    with nogil:
        status = quantile_of(first, values.shape[0], q, &result)
    if status != QUANTILE_OK:
        raise EXCEPTIONS.get(status, ValueError)(quantile_message(status).decode())
    return result
