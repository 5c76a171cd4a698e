"""The two functions with memory of the emulated device, and what it recorded of their launches."""

import ctypes

import numpy as np

STREAM = 0x5EED
NOTES = (
    (1, "two threads changed the same memory"),
    (2, "the call waited for the GPU"),
    (4, "a launch failed, and the call returned 0"),
    (8, "the work is on another stream"),
)


class Matrix(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p)] + [
        (name, ctypes.c_int64) for name in ("rows", "columns", "row_stride", "column_stride")
    ]


def prepare(library):
    """Declare the functions of the learner and of the emulation."""
    pointer, number = ctypes.c_void_p, ctypes.c_size_t
    library.scale_rows.argtypes = (pointer, Matrix, pointer, pointer)
    library.column_sums.argtypes = (pointer, Matrix, pointer)
    library.device_new.argtypes, library.device_new.restype = (pointer, number), pointer
    library.device_read.argtypes, library.device_read.restype = (pointer, pointer, number), None
    library.device_reset.argtypes = (pointer,)
    library.device_reset(STREAM)


def run(library, name, x, steps, size, *more):
    """Return the result of a call; raise RuntimeError with its code or what the emulation recorded.

    `steps` are the sizes of the matrix and its strides in items of x, which has one dimension; the
    memory of the result is filled with other numbers first.
    """
    device = [
        library.device_new(array.ctypes.data, array.nbytes)
        for array in (np.arange(size, dtype="float32") + 0.3, x, *more)
    ]
    rows, columns, row_stride, column_stride = steps
    matrix = Matrix(device[1], rows, columns, row_stride, column_stride)
    code = getattr(library, name)(device[0], matrix, *device[2:], STREAM)
    result = np.empty(size, "float32")
    library.device_read(result.ctypes.data, device[0], result.nbytes)
    noted = library.device_reset(STREAM)
    for bit, text in NOTES:
        if noted & bit:
            raise RuntimeError(text)
    if code:
        raise RuntimeError(f"the launch failed: the call returned {code}")
    return result
