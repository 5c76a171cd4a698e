# cython: freethreading_compatible=True
"""The patterns through Cython: numbers in, a number out.

Shows:  C types in a signature, which convert the arguments; defaults; nogil.
Build:  cython -3 scalars.pyx, then the C compiler (see ../CMakeLists.txt).
Bites:  an int64_t argument takes a float and drops its fraction, and so does `a: int`; Py_ssize_t,
        64 bits wherever pointers are, is the only C integer type that calls __index__. A bint takes
        anything that has a truth value, `bool` only True and False.
"""

from ffi_cookbook.bindings.cython.patterns.cookbook cimport (
    ck_add_float, ck_add_int, ck_give_int, ck_invert, ck_keywords, ck_noop, ck_six_scalars,
    ck_take_int)


def noop():
    """Do nothing."""
    ck_noop()


def noop_nogil():
    """Do nothing, with the GIL released."""
    with nogil:
        ck_noop()


def int_in(Py_ssize_t a, /):
    """Take an int64."""
    ck_take_int(a)


def int_out():
    """Return an int64, 42."""
    return ck_give_int()


def invert(bool flag not None, /):
    """Return the other truth value."""
    return ck_invert(flag)


def add_int(Py_ssize_t a, Py_ssize_t b, /):
    """Return a + b modulo 2**64."""
    return ck_add_int(a, b)


def add_float(double a, double b, /):
    """Return a + b."""
    return ck_add_float(a, b)


def six_scalars(Py_ssize_t a, double b, Py_ssize_t c, double d, Py_ssize_t e, double f, /):
    """Return the sum of six numbers."""
    return ck_six_scalars(a, b, c, d, e, f)


def keywords(double x, *, double scale=1.0, double offset=0.0):
    """Return x * scale + offset."""
    return ck_keywords(x, scale, offset)
