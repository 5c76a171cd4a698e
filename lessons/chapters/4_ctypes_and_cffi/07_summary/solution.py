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


def _doubles(buffer):
    if memoryview(buffer).format != "d":
        raise TypeError("a buffer of doubles is needed")
    return buffer


class Summary:
    """The number, the mean and the variance of values that arrive in parts."""

    def __init__(self):
        pointer = lib.summary_new()
        if pointer == ffi.NULL:
            raise MemoryError
        self._summary = ffi.gc(pointer, lib.summary_free)

    def add(self, values):
        """Add the doubles of a buffer."""
        with ffi.from_buffer("double[]", _doubles(values)) as x:
            lib.summary_add(self._summary, x, len(x))

    def read(self, out):
        """Write the number, the mean and the variance to a buffer of three doubles."""
        with ffi.from_buffer("double[]", _doubles(out), require_writable=True) as room:
            if len(room) != 3:
                raise ValueError(f"out must have 3 items, not {len(room)}")
            if lib.summary_read(self._summary, room) < 0:
                raise ValueError("nothing was added")
