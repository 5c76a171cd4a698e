"""Calls to matmul with NumPy arrays of any strides."""

import ctypes

import numpy as np

VIEWS = {
    "a": lambda a: a,
    "a.T": lambda a: a.T,
    "a[::-1]": lambda a: a[::-1],
    "a[:, ::-2]": lambda a: a[:, ::-2],
    "a[::2, 1:]": lambda a: a[::2, 1:],
    "row": lambda a: np.broadcast_to(a[:1], a.shape),
}


class Matrix(ctypes.Structure):
    """struct matrix."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("rows", ctypes.c_size_t),
        ("columns", ctypes.c_size_t),
        ("row_stride", ctypes.c_ssize_t),
        ("column_stride", ctypes.c_ssize_t),
    ]


def prepare(library):
    """Declare the prototype."""
    library.matmul.argtypes = [ctypes.POINTER(Matrix)] * 3
    library.matmul.restype = ctypes.c_int


def descriptor(array):
    """Return the array's descriptor."""
    return Matrix(array.ctypes.data, *array.shape, *array.strides)


def inside(array):
    """Return a copy in the middle of more memory, so that a wrong stride reads other values."""
    memory = np.full(3 * array.size, 1e6)
    copy = memory[array.size : 2 * array.size].reshape(array.shape)
    copy[...] = array
    return copy


def matmul(library, a, b, shape=None):
    """Return the code and c."""
    c = np.full(shape or (len(a), b.shape[1]), 7.0)
    return library.matmul(descriptor(a), descriptor(b), descriptor(c)), c


def views(library, a, b, of_a, of_b):
    """Return the code and c for views of the two matrices."""
    a, b = VIEWS[of_a](inside(a)), VIEWS[of_b](inside(b))
    c = np.full((len(a), b.shape[1]), 7.0)
    return library.matmul(descriptor(a), descriptor(b), descriptor(c)), c


def into_view(library, a, b, of_c):
    """Return the code and the whole array, of which c is a view of every second row and column."""
    m, n = len(a), b.shape[1]
    whole = inside(np.full((2 * m, 2 * n), 7.0))
    c = {"c[::2, ::2]": whole[::2, ::2], "c[::-2, 1::2]": whole[::-2, 1::2]}[of_c]
    return library.matmul(descriptor(a), descriptor(b), descriptor(c)), whole


def null(library, which):
    """Return the code if one of the three pointers is null."""
    array = np.zeros((2, 2))
    pointers = [descriptor(array), descriptor(array), descriptor(array)]
    pointers[which] = None
    return library.matmul(*pointers)
