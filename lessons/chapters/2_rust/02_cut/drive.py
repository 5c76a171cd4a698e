"""Calls to cut and total."""

import ctypes

size, pointer, number = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint64


def prepare(library):
    """Declare the prototypes."""
    library.cut.argtypes = [pointer, size, size, ctypes.POINTER(size)]
    library.total.argtypes = [pointer, size, ctypes.POINTER(number)]
    library.cut.restype = library.total.restype = ctypes.c_int32


def cut(library, data, most):
    """Return the code and the place."""
    memory = (ctypes.c_char * (len(data) + 16)).from_buffer_copy(b"-" * 16 + data)
    end = size(99)
    return library.cut(ctypes.addressof(memory) + 16, len(data), most, end), end.value


def total(library, numbers):
    """Return the code and the sum."""
    memory = (number * (len(numbers) + 2))(0, 0, *numbers)
    found = number(99)
    return library.total(ctypes.addressof(memory) + 16, len(numbers), found), found.value


def without_memory(library):
    """Return the codes and the results for null pointers and a size of 0."""
    end, found = size(99), number(99)
    code = library.cut(None, 0, 5, end)
    return code, end.value, library.total(None, 0, found), found.value
