"""The product of matrices in C, for tensors in the memory of the CPU, and tensors over arrays.

libmatrices.so lies beside this file. Nothing here knows of operators or gradients.
"""

import ctypes
from pathlib import Path

import numpy as np
import torch

LETTERS = {torch.float32: b"f", torch.float64: b"d"}


class Matrix(ctypes.Structure):
    """The struct `matrix` of matrices.h."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("type", ctypes.c_char),
        ("ndim", ctypes.c_int),
        ("shape", ctypes.c_ssize_t * 3),
        ("strides", ctypes.c_ssize_t * 3),
    )

    @classmethod
    def of(cls, tensor):
        """Return the description of a tensor."""
        if tensor.dtype not in LETTERS:
            raise TypeError(f"expected float32 or float64, not {tensor.dtype}")
        strides = [stride * tensor.element_size() for stride in tensor.stride()[:3]]
        ndim = tensor.dim()
        return cls(
            tensor.data_ptr(), LETTERS[tensor.dtype], ndim, (*tensor.shape[:3],), (*strides,)
        )


_lib = ctypes.CDLL(str(Path(__file__).with_name("libmatrices.so")))
_pointer, _text = ctypes.POINTER(Matrix), ctypes.POINTER(ctypes.c_char_p)
_lib.matrices_shape.argtypes = (_pointer, _pointer, _pointer, _text)
_lib.matrices_multiply.argtypes = (_pointer, _pointer, _pointer, ctypes.c_longlong, _text)


def _checked(function, *arguments):
    message = ctypes.c_char_p()
    if code := function(*arguments, ctypes.byref(message)):
        raise (TypeError if code == 1 else ValueError)(message.value.decode())


def shape_of_product(a, b):
    """Return the shape of a @ b; raise TypeError or ValueError if there is none."""
    product = Matrix()
    _checked(_lib.matrices_shape, Matrix.of(a), Matrix.of(b), product)
    return list(product.shape[: product.ndim])


def multiply(a, b, out, threads):
    """Write a @ b to `out`; raise TypeError or ValueError if it cannot be. The GIL is released."""
    _checked(_lib.matrices_multiply, Matrix.of(a), Matrix.of(b), Matrix.of(out), threads)


def tensor_of(array):
    """Return a tensor over the memory of a NumPy array, which is copied only if torch must."""
    if not isinstance(array, np.ndarray) or array.dtype not in (np.float32, np.float64):
        raise TypeError("expected an array of float32 or float64")
    if any(stride < 0 or stride % array.itemsize for stride in array.strides):
        array = array.copy()
    if array.flags.writeable:
        return torch.from_numpy(array)
    return torch.from_dlpack(array.__dlpack__(max_version=(1, 0)))
