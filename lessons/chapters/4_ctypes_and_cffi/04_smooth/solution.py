"""Write smooth(x, alpha, out): the moving average of a NumPy array, computed by C.

libsmooth.so lies beside this file, with

    int smooth(const double *x, size_t n, double alpha, double *out);

which writes n values to `out` and returns 0, or -1 if alpha is not between 0 and 1.

    >>> out = np.empty(3)
    >>> exercise.smooth(np.array([1.0, 2.0, 4.0]), 0.5, out)
    >>> out
    array([1.  , 1.5 , 2.75])

The function returns None. C sees two addresses and two numbers, but no types. So Python must refuse
with an exception, before C is called, what C would misread: `x` and `out` must be arrays of one
dimension, of dtype float64 (in native byte order) and C-contiguous; they must have the same size,
and `out` must be writable. Nothing is copied. An alpha that C refuses raises ValueError.
"""

import ctypes
from pathlib import Path

import numpy as np

lib = ctypes.CDLL(str(Path(__file__).with_name("libsmooth.so")))
# BEGIN SOLUTION
lib.smooth.argtypes = [
    np.ctypeslib.ndpointer(np.float64, ndim=1, flags="C_CONTIGUOUS"),
    ctypes.c_size_t,
    ctypes.c_double,
    np.ctypeslib.ndpointer(np.float64, ndim=1, flags="C_CONTIGUOUS, WRITEABLE"),
]
lib.smooth.restype = ctypes.c_int
# END SOLUTION


def smooth(x, alpha, out):
    """Write the exponential moving average of x to out."""
    #: # TODO: declare the function, test the arrays, call C
    #: out[:] = np.asarray(x)
    # BEGIN SOLUTION
    if len(x) != len(out):
        raise ValueError(f"out must have {len(x)} items, not {len(out)}")
    if lib.smooth(x, len(x), alpha, out) < 0:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha}")
    # END SOLUTION
