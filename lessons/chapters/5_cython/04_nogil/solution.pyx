cdef extern from "model.h":
    double predict(double x) nogil


def predict_all(const double[:] values not None, double[:] out not None):
    cdef Py_ssize_t i, n = values.shape[0]
    cdef double result = 0
    if out.shape[0] != n:
        raise ValueError(f"out must have {n} items, not {out.shape[0]}")
    with nogil:
        for i in range(n):
            result = predict(values[i])
            if result != result:  # only NaN differs from itself
                break
            out[i] = result
    if result != result:
        raise ValueError(f"item {i} is negative")
