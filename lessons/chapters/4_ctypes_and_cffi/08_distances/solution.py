import numpy as np
from cffi import FFI

ffibuilder = FFI()
ffibuilder.cdef("""
    typedef struct {
        double latitude, longitude;
        ...;
    } place;
    void distances(const place *places, size_t n, place from, double *out);
""")
ffibuilder.set_source(
    "_geo",
    """
#include "geo.h"

static void distances(const place *places, size_t n, place from, double *out) {
  for (size_t i = 0; i < n; i++)
    out[i] = place_distance(places[i], from);
}
""",
)


def distances(places, latitude, longitude):
    """Return the distance of each place from a given one, in km."""
    from _geo import ffi, lib

    if places.dtype != np.float64 or places.ndim != 2 or places.shape[1] != 2:
        raise TypeError("places must be a float64 array of shape (n, 2)")
    out = np.empty(len(places))
    rows = ffi.from_buffer("place[]", places)
    lib.distances(rows, len(rows), (latitude, longitude), ffi.from_buffer("double[]", out))
    return out
