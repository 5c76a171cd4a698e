"""Calls to softmax with arrays of both types."""

import ctypes

import numpy as np


def prepare(library):
    """Declare the prototypes."""
    for function in (library.softmax_f32, library.softmax_f64):
        function.restype = None
        function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]


def softmax(library, x, in_place=False):
    """Return what the entry point for the array's type writes.

    Both arrays end where their memory ends: three more items come first.
    """
    whole = np.concatenate([np.zeros(3, x.dtype), x])
    out = whole if in_place else np.full_like(whole, -99)
    function = {"f": library.softmax_f32, "d": library.softmax_f64}[x.dtype.char]
    front = 3 * x.itemsize
    function(whole.ctypes.data + front, len(x), out.ctypes.data + front)
    return out[3:]
