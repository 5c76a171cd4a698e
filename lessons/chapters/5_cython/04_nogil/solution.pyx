"""Write predict_all(values, out): the prediction of a C library for each item, without the GIL.

    >>> out = np.empty(2)
    >>> exercise.predict_all(np.array([1.0, 3.0]), out)
    >>> out
    array([ 2., 10.])

`values` and `out` are 1-D arrays of float64 with any strides, and `values` may be read-only; arrays
of different sizes raise ValueError before anything is written. Other Python threads can run during
the whole loop. The library returns NaN for a negative item: stop there and raise ValueError with
the index in its message, such as "item 7 is negative". The items before it have been written.
"""


cdef extern from "model.h":
#:     double predict(double x)  # TODO: may it be called without the GIL?
#:
#:
#: def predict_all(values, out):
#:     pass  # TODO
# BEGIN SOLUTION
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
# END SOLUTION
