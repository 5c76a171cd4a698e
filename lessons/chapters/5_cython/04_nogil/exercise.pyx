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
    double predict(double x)  # TODO: may it be called without the GIL?


def predict_all(values, out):
    pass  # TODO
