"""Each property is tested with a message of its own, and the address is passed as it is."""

import ctypes
from pathlib import Path

import numpy as np

_smooth = ctypes.CDLL(str(Path(__file__).with_name("libsmooth.so"))).smooth
_smooth.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double, ctypes.c_void_p]


def _checked(name, array):
    if not isinstance(array, np.ndarray) or array.dtype != np.float64:
        raise TypeError(f"{name} must be a float64 array")
    if array.ndim != 1 or not array.flags.c_contiguous:
        raise ValueError(f"{name} must have one dimension and be C-contiguous")
    return array


def smooth(x, alpha, out):
    x, out = _checked("x", x), _checked("out", out)
    if not out.flags.writeable or out.shape != x.shape:
        raise ValueError("out must be writable and as long as x")
    if _smooth(x.ctypes.data, x.size, alpha, out.ctypes.data):
        raise ValueError("alpha must be between 0 and 1")
