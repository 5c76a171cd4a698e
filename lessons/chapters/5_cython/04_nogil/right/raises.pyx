# The GIL is acquired again only where an exception must be made.
cdef extern from "model.h":
    double predict(double x) noexcept nogil


cdef int fill(const double[:] values, double[:] out) except -1 nogil:
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        result = predict(values[i])
        if result != result:
            with gil:
                raise ValueError(f"item {i} is negative")
        out[i] = result
    return 0


def predict_all(const double[:] values, double[:] out):
    if len(values) != len(out):
        raise ValueError("values and out must have the same size")
    with nogil:
        fill(values, out)
