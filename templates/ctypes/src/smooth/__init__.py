"""Moving averages and a CRC-32, computed by a C library."""

import ctypes
import sys
import threading
import weakref
from ctypes import POINTER, c_char_p, c_double, c_int, c_size_t, c_uint32, c_void_p
from pathlib import Path

import numpy as np

_suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_lib = ctypes.CDLL(str(Path(__file__).with_name(f"libsmooth{_suffix}")))  # by its full path

_MEMORY = 3  # the value of SMOOTH_MEMORY in smooth.h
# It checks everything but the length, which must come from the same array.
_doubles = np.ctypeslib.ndpointer(np.float64, ndim=1, flags="C_CONTIGUOUS, ALIGNED")


def _check(code, function, arguments):
    if code == _MEMORY:
        raise MemoryError
    if code:
        raise ValueError(_lib.smooth_message(code).decode())


def _declare(name, restype, *argtypes, errcheck=None):
    """Declare a function of smooth.h. Nothing compares this with the header."""
    function = getattr(_lib, name)
    function.restype, function.argtypes = restype, argtypes
    if errcheck:
        function.errcheck = errcheck  # ctypes calls it after each call


_declare("smooth_message", c_char_p, c_int)
_declare("smooth_ema", c_int, c_double, _doubles, _doubles, c_size_t, errcheck=_check)
_declare("smooth_crc32", c_uint32, np.ctypeslib.ndpointer(np.uint8, ndim=1), c_size_t)
_declare("smooth_create", c_int, c_double, POINTER(c_void_p), errcheck=_check)
_declare("smooth_free", None, c_void_p)
_declare("smooth_update", c_int, c_void_p, _doubles, _doubles, c_size_t, errcheck=_check)


def ema(x, alpha):
    """Return the exponential moving average of the float64 array `x` with weight `alpha`."""
    alpha = c_double(alpha)  # converted before x is read: a __float__ may change x
    x = np.asarray(x)  # not a subclass, whose attributes may be anything
    y = np.empty(x.shape)
    _lib.smooth_ema(alpha, x, y, x.size)
    return y


def crc32(data):
    """Return the CRC-32 of a bytes-like object."""
    view = np.frombuffer(data, np.uint8)
    return _lib.smooth_crc32(view, len(view))


class Average:
    """An exponential moving average that goes on from call to call."""

    def __init__(self, alpha):
        handle = c_void_p()
        # As an argument, alpha would replace an exception of its __float__ by an ArgumentError.
        _lib.smooth_create(c_double(alpha), ctypes.byref(handle))
        # The finalizer belongs to the handle: a second __init__ makes a second handle.
        weakref.finalize(handle, _lib.smooth_free, handle.value).atexit = False
        self._handle, self._lock = handle, threading.RLock()

    def __reduce__(self):  # copy and pickle would copy the address alone
        raise TypeError("an Average cannot be copied or pickled")

    def update(self, x):
        """Feed the float64 array `x` and return the average after each value."""
        x = np.asarray(x)
        y = np.empty(x.shape)
        with self._lock:  # CDLL releases the GIL in every call
            _lib.smooth_update(self._handle, x, y, x.size)
        return y
