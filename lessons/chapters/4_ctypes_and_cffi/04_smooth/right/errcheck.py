"""ndpointer for both arrays, the sizes from the arrays themselves, and an errcheck."""

from ctypes import c_double, c_int, c_size_t

import numpy as np
from numpy.ctypeslib import load_library, ndpointer

lib = load_library("libsmooth", __file__.rpartition("/")[0])


def _alpha(code, function, arguments):
    if code == -1:
        raise ValueError(f"alpha is {arguments[2]}")


_array = ndpointer(dtype="f8", ndim=1, flags=("C", "A"))
_output = ndpointer(dtype="f8", ndim=1, flags=("C", "A", "W"))
lib.smooth.argtypes = (_array, c_size_t, c_double, _output)
lib.smooth.restype = c_int
lib.smooth.errcheck = _alpha


def smooth(x, alpha, out):
    if np.shape(x) != np.shape(out):
        raise ValueError("the shapes differ")
    lib.smooth(x, x.size, alpha, out)
