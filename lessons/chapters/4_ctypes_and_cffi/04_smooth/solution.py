import ctypes
from pathlib import Path

import numpy as np

lib = ctypes.CDLL(str(Path(__file__).with_name("libsmooth.so")))
lib.smooth.argtypes = [
    np.ctypeslib.ndpointer(np.float64, ndim=1, flags="C_CONTIGUOUS"),
    ctypes.c_size_t,
    ctypes.c_double,
    np.ctypeslib.ndpointer(np.float64, ndim=1, flags="C_CONTIGUOUS, WRITEABLE"),
]
lib.smooth.restype = ctypes.c_int


def smooth(x, alpha, out):
    """Write the exponential moving average of x to out."""
    if len(x) != len(out):
        raise ValueError(f"out must have {len(x)} items, not {len(out)}")
    if lib.smooth(x, len(x), alpha, out) < 0:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha}")
