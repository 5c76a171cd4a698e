"""The struct is given in full, and cffi compares its layout with the compiler's."""

import numpy as np
from cffi import FFI

PROTOTYPE = "void to_all(const place *places, const double *from, size_t n, double *out)"
ffibuilder = FFI()
ffibuilder.cdef("typedef struct { double latitude, longitude; } place;")
ffibuilder.cdef(PROTOTYPE + ";")
ffibuilder.set_source(
    "_geo",
    '#include "geo.h"\n'
    + PROTOTYPE
    + """ {
        place here = {from[0], from[1]};
        while (n--)
            out[n] = place_distance(here, places[n]);
    }""",
)


def distances(places, latitude, longitude):
    import _geo

    ffi, lib = _geo.ffi, _geo.lib
    out = np.empty(places.shape[0], dtype=float)
    pointer = ffi.cast("place *", ffi.from_buffer(places))
    lib.to_all(pointer, [latitude, longitude], out.size, ffi.cast("double *", ffi.from_buffer(out)))
    return out
