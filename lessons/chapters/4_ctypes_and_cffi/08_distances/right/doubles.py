"""C gets plain doubles, and knows that there are two for each place."""

import numpy as np
from cffi import FFI

ffibuilder = FFI()
ffibuilder.cdef("void many(const double *, int64_t, double, double, double *);")
ffibuilder.set_source(
    "_geo",
    """
    #include <stdint.h>
    #include "geo.h"
    static void many(const double *p, int64_t n, double lat, double lon, double *out) {
        const double *end = p + 2 * n;
        for (; p < end; p += 2)
            *out++ = place_distance((place){p[0], p[1]}, (place){lat, lon});
    }
    """,
    extra_compile_args=["-O3"],
)

if __name__ == "__main__":
    ffibuilder.compile(verbose=True)


def distances(places, latitude, longitude):
    from _geo import ffi
    from _geo import lib as geo

    n = places.shape[0]
    out = np.zeros(n)
    address = ffi.cast("const double *", places.ctypes.data)
    geo.many(address, n, latitude, longitude, ffi.cast("double *", out.ctypes.data))
    return out
