"""Write a class over a C struct, with cffi in ABI mode: no compiler, and prototypes in C.

libsummary.so lies beside this file; `cdef` below is its header. Write the class Summary:

    >>> summary = exercise.Summary()
    >>> summary.add(array.array("d", [1.0, 2.0, 6.0]))
    >>> out = array.array("d", [0.0] * 3)
    >>> summary.read(out)
    >>> out
    array('d', [3.0, 3.0, 4.666666666666667])

`add` adds the doubles of any contiguous buffer, and `read` writes the number, the mean and the
variance to a writable buffer of three doubles. A buffer whose format is not "d" raises TypeError.
`read` raises an exception for a buffer that it cannot fill, and ValueError if nothing was added
(C returns -1 then). The struct is freed with its Summary.
"""

from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("""
    typedef struct summary summary;
    summary *summary_new(void);
    void summary_free(summary *s);
    void summary_add(summary *s, const double *x, size_t n);
    int summary_read(const summary *s, double *out);
""")
lib = ffi.dlopen(str(Path(__file__).with_name("libsummary.so")))


# BEGIN SOLUTION
def _doubles(buffer):
    if memoryview(buffer).format != "d":
        raise TypeError("a buffer of doubles is needed")
    return buffer


# END SOLUTION
class Summary:
    """The number, the mean and the variance of values that arrive in parts."""

    # BEGIN SOLUTION
    def __init__(self):
        pointer = lib.summary_new()
        if pointer == ffi.NULL:
            raise MemoryError
        self._summary = ffi.gc(pointer, lib.summary_free)

    # END SOLUTION
    def add(self, values):
        """Add the doubles of a buffer."""
        #: # TODO
        # BEGIN SOLUTION
        with ffi.from_buffer("double[]", _doubles(values)) as x:
            lib.summary_add(self._summary, x, len(x))
        # END SOLUTION

    def read(self, out):
        """Write the number, the mean and the variance to a buffer of three doubles."""
        #: # TODO
        # BEGIN SOLUTION
        with ffi.from_buffer("double[]", _doubles(out), require_writable=True) as room:
            if len(room) != 3:
                raise ValueError(f"out must have 3 items, not {len(room)}")
            if lib.summary_read(self._summary, room) < 0:
                raise ValueError("nothing was added")
        # END SOLUTION
