# cython: freethreading_compatible=True
"""The patterns through Cython: objects with C state.

Shows:  cdef classes, final and with a freelist; a struct passed by value; a method, a property; an
        object made without calling its class; a generator as the iterator, as Cython's
        documentation has it, and then a class.
Build:  cython -3 objects.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  with binding=True, the default, Counter.add(x, 1) takes any x for a Counter and writes into
        it. Python does not see C attributes unless they are `readonly` or `public`; only an
        argument typed with the class reads them as C; __new__ without __init__ leaves them zero; a
        property without a deleter answers `del` with NotImplementedError; without the GIL a method
        that reads and then writes needs a critical section, which costs nothing with the GIL.
"""

cimport cython
from libc.stdint cimport int64_t

from ffi_cookbook.bindings.cython.patterns.cookbook cimport (
    ck_counter, ck_counter_add, ck_counter_next, ck_counter_start, ck_make_point, ck_point,
    ck_point_sum)


@cython.final
@cython.freelist(8)
cdef class Point:
    "Point(x, y)\n--\n\nTwo doubles."

    cdef readonly double x, y

    def __init__(self, double x, double y):
        self.x = x
        self.y = y


def struct_in(Point point not None, /):
    """Return x + y of a Point."""
    return ck_point_sum(ck_point(point.x, point.y))


def struct_out(double x, double y, /):
    """Return a new Point."""
    cdef ck_point made = ck_make_point(x, y)
    cdef Point point = Point.__new__(Point)
    point.x, point.y = made.x, made.y
    return point


@cython.final
@cython.freelist(8)
cdef class Counter:
    "Counter(value)\n--\n\nAn int64 that wraps modulo 2**64."

    cdef ck_counter state

    def __init__(self, Py_ssize_t value):
        ck_counter_start(&self.state, value)

    @cython.binding(False)
    @cython.critical_section
    def add(self, Py_ssize_t n, /):
        "add($self, n, /)\n--\n\nAdd n and return the new value."
        return ck_counter_add(&self.state, n)

    @property
    def value(self):
        cdef int64_t value
        with cython.critical_section(self):
            value = self.state.value
        return value

    @value.setter
    def value(self, Py_ssize_t value):
        with cython.critical_section(self):
            self.state.value = value

    @value.deleter
    def value(self):
        raise AttributeError("value cannot be deleted")


def _idiomatic_countdown(Py_ssize_t n):
    """Resume a generator for each item."""
    while n > 0:
        n -= 1
        yield n


# A class costs less for each item than a generator, and threads may share it.
@cython.final
@cython.internal
@cython.freelist(8)
cdef class Countdown:
    cdef ck_counter state

    def __init__(self):
        raise TypeError("countdown() makes it")

    def __iter__(self):
        return self

    def __next__(self):
        cdef int64_t item
        cdef bint more
        with cython.critical_section(self):
            more = ck_counter_next(&self.state, &item)
        if not more:
            raise StopIteration  # outside the `with`, where it makes no exception object
        return item


def countdown(Py_ssize_t n, /):
    """Return an iterator over n - 1, n - 2 ... 0."""
    cdef Countdown countdown = Countdown.__new__(Countdown)
    ck_counter_start(&countdown.state, n)
    return countdown
