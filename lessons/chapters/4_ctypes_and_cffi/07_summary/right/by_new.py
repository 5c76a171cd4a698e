"""The results go to memory of cffi's own, and from there to the buffer."""

from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("""
    typedef struct summary summary;
    summary *summary_new(void);
    void summary_free(summary *s);
    void summary_add(summary *s, const double *x, size_t n);
    int summary_read(const summary *s, double out[3]);
""")
C = ffi.dlopen(str(Path(__file__).resolve().with_name("libsummary.so")))


class Summary:
    def __init__(self):
        self.s = ffi.gc(C.summary_new(), C.summary_free, 24)

    def add(self, values):
        if memoryview(values).format != "d":
            raise TypeError("doubles")
        doubles = ffi.from_buffer("double[]", values)
        C.summary_add(self.s, doubles, len(doubles))

    def read(self, out):
        view = memoryview(out)
        if view.shape != (3,):
            raise ValueError("out must have three items")
        results = ffi.new("double[3]")
        if C.summary_read(self.s, results) == -1:
            raise ValueError("no values")
        view[:] = memoryview(ffi.buffer(results)).cast("d")
