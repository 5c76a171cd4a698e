from cffi import FFI

ffibuilder = FFI()
# What smooth.h declares, without a preprocessor. The compiler compares it with the header, and
# fills in the dots.
ffibuilder.cdef("""
    enum { SMOOTH_OK, SMOOTH_MEMORY, ... };
    const char *smooth_message(int error);
    int smooth_ema(double alpha, const double *x, double *y, size_t n);
    uint32_t smooth_crc32(const void *data, size_t size);
    typedef struct smooth_average smooth_average;
    int smooth_create(double alpha, smooth_average **average);
    void smooth_free(smooth_average *average);
    int smooth_update(smooth_average *average, const double *x, double *y, size_t n);
""")
ffibuilder.set_source(
    "smooth._native",
    '#include "smooth.h"',
    sources=["native/smooth.c"],  # for an installed library: libraries=["smooth"]
    include_dirs=["native"],
)
