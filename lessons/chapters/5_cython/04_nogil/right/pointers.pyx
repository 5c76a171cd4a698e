# Pointers and strides in bytes, as C would have them.
cdef extern from "model.h":
    double predict(double x) nogil


def predict_all(const double[:] values not None, double[:] out not None):
    cdef Py_ssize_t i = 0, n = values.shape[0], step = values.strides[0], out_step = out.strides[0]
    if out.shape[0] != n:
        raise ValueError("values and out must have the same size")
    if n == 0:
        return
    cdef const char *source = <const char *>&values[0]
    cdef char *target = <char *>&out[0]
    with nogil:
        while i < n and (<const double *>source)[0] >= 0:
            (<double *>target)[0] = predict((<const double *>source)[0])
            source += step
            target += out_step
            i += 1
    if i < n:
        raise ValueError(f"item {i} is negative")
