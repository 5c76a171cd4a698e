"""Calls to row_sums with views of NumPy arrays."""

import ctypes

import numpy as np


def prepare(library):
    """Declare the prototype."""
    size, stride, pointer = ctypes.c_size_t, ctypes.c_ssize_t, ctypes.c_void_p
    library.row_sums.argtypes = [pointer, size, size, stride, stride, pointer]
    library.row_sums.restype = None


def view(values, how):
    """Return the view of the array that the expression `how` makes of it."""
    return {
        "a": lambda a: a,
        "a.T": lambda a: a.T,
        "a[::-1]": lambda a: a[::-1],
        "a[:, ::-1]": lambda a: a[:, ::-1],
        "a[::-2, 1::3]": lambda a: a[::-2, 1::3],
        "a.T[::2, ::-1]": lambda a: a.T[::2, ::-1],
        "np.broadcast_to(a[:, :1], a.shape)": lambda a: np.broadcast_to(a[:, :1], a.shape),
        "a[:, :0]": lambda a: a[:, :0],
        "a[:0]": lambda a: a[:0],
    }[how](values)


def row_sums(library, values, how):
    """Return the sums of the rows of a view.

    `a` and its transpose fill their memory; the other views lie in the middle of a larger block, so
    that a wrong stride gives a wrong sum.
    """
    around = 0 if how in ("a", "a.T") else values.size
    memory = np.full(values.size + 2 * around, 1000.0)
    middle = memory[around : around + values.size].reshape(values.shape)
    middle[...] = values
    a = view(middle, how)
    sums = np.full(len(a) + 3, -99.0 if how == "a" else 0.0)
    library.row_sums(a.ctypes.data, *a.shape, *a.strides, sums.ctypes.data + 24)
    return sums[3:]
