"""Moving averages and a CRC-32, computed by a C library."""

import threading

import numpy as np

from smooth._native import ffi, lib


def _check(code):
    if code == lib.SMOOTH_MEMORY:
        raise MemoryError
    if code != lib.SMOOTH_OK:
        raise ValueError(ffi.string(lib.smooth_message(code)).decode())


def _doubles(x):
    """Return an array of one dimension as float64, copied only if C could not read it."""
    x = np.asarray(x)
    # np.require alone would convert text to numbers, and complex numbers to their real parts.
    if x.ndim != 1 or not np.can_cast(x.dtype, np.float64):
        raise TypeError(f"x must be float64 in one dimension, not {x.dtype} in {x.ndim}")
    return np.require(x, np.float64, "CA")


def _pointer(array):
    return ffi.from_buffer("double[]", array)  # counts the bytes, and ignores the dtype


def ema(x, alpha):
    """Return the exponential moving average of an array with weight `alpha`."""
    alpha = ffi.new("double[]", [alpha])  # converted before x is read: a __float__ may change x
    x = _doubles(x)
    y = np.empty(x.size)
    _check(lib.smooth_ema(alpha[0], _pointer(x), _pointer(y), x.size))
    return y


def crc32(data):
    """Return the CRC-32 of a bytes-like object."""
    view = ffi.from_buffer(data)
    return lib.smooth_crc32(view, len(view))


class Average:
    """An exponential moving average that goes on from call to call."""

    def __init__(self, alpha):
        handle = ffi.new("smooth_average **")
        _check(lib.smooth_create(alpha, handle))
        self._handle = ffi.gc(handle[0], lib.smooth_free)  # frees it with the last reference
        self._lock = threading.RLock()

    def __reduce__(self):  # copy would share the handle
        raise TypeError("an Average cannot be copied or pickled")

    def update(self, x):
        """Feed an array of one dimension and return the average after each value."""
        x = _doubles(x)
        y = np.empty(x.size)
        with self._lock:  # the GIL is released in every call
            _check(lib.smooth_update(self._handle, _pointer(x), _pointer(y), x.size))
        return y
