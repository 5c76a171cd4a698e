# cython: freethreading_compatible=True
"""The cost ledger through Cython as it is commonly written: right, and dearer than it need be.

Shows:  arguments and loops without types, a copy, a list that grows, and classes and generators
        that are no more than compiled Python.
Build:  cython -3 -I cython_src naive.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  all of it works: only `cython -a naive.pyx`, which marks in yellow what goes through Python,
        tells it from the pages beside it.
"""

cimport numpy as cnp
import numpy as np

cimport pattern_kernels as kernel

cnp.import_array()


def six_scalars(a, b, c, d, e, f):
    """Without types the arguments are added as Python objects, with a new float for every plus."""
    return a + b + c + d + e + f


def str_in(text):
    """The text is copied into new bytes, to be thrown away after the call."""
    data = text.encode()
    return kernel.sum_bytes(data, len(data))


def array_in(cnp.ndarray values):
    """An ndarray whose items have no type makes an object of NumPy's of each item that is read."""
    cdef double total = 0.0
    for i in range(len(values)):
        total += values[i]
    return total


def array_out(n):
    """NumPy is asked for the array as Python would ask, and a memoryview then made to fill it."""
    array = np.empty(n)
    cdef double[::1] values = array
    cdef Py_ssize_t i
    for i in range(n):
        values[i] = i
    return array


def list_out(n):
    """The list grows item by item, each number an int first, counted by Python's own range."""
    values = []
    for i in range(n):
        values.append(float(i))
    return values


def struct_in(point):
    """Without the type of its argument, C attributes are looked up by name and made objects."""
    return point.x + point.y


class Counter:
    """A class without cdef is a Python class: its objects have a dict, which costs when made."""

    def __init__(self, value):
        self.value = value

    def add(self, n):
        self.value = kernel.add_int(self.value, n)
        return self.value


def countdown(n):
    """A generator is put to sleep and woken for each item, and counts in Python's numbers."""
    while n > 0:
        n -= 1
        yield n
