"""Make it faster: one call to C for all places, with cffi in API mode.

geo.h has a struct of two doubles, `place`, and a function that is static inline: it is in no
library, and only a compiler can make use of it. This file is the build script. The source that it
gives to set_source is compiled, with geo.h, into the module _geo, which `distances` then imports.

    >>> places = np.array([[52.52, 13.405], [48.8566, 2.3522]])
    >>> exercise.distances(places, 48.8566, 2.3522)
    array([877.46..., 0.        ])

`places` is a C-contiguous float64 array of shape (n, 2), and the result has shape (n,). The
function works, but it calls C once for each place, and such a call takes longer than the distance
itself. Write the loop in C, so that `distances` makes at most 3 calls to C, for any number of
places.
"""

import numpy as np
from cffi import FFI

ffibuilder = FFI()
#: ffibuilder.cdef("""
#:     double distance_of(double latitude, double longitude,
#:                        double to_latitude, double to_longitude);
#: """)
#: ffibuilder.set_source(
#:     "_geo",
#:     """
#: #include "geo.h"
#:
#: static double distance_of(double latitude, double longitude, double to_latitude,
#:                           double to_longitude) {
#:   place from = {latitude, longitude}, to = {to_latitude, to_longitude};
#:   return place_distance(from, to);
#: }
#: """,
#: )
# BEGIN SOLUTION
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
# END SOLUTION


def distances(places, latitude, longitude):
    """Return the distance of each place from a given one, in km."""
    #: from _geo import lib  # exists once the script has been built
    #:
    #: # TODO: one call in place of these
    #: return np.array([lib.distance_of(*place, latitude, longitude) for place in places.tolist()])
    # BEGIN SOLUTION
    from _geo import ffi, lib

    if places.dtype != np.float64 or places.ndim != 2 or places.shape[1] != 2:
        raise TypeError("places must be a float64 array of shape (n, 2)")
    out = np.empty(len(places))
    rows = ffi.from_buffer("place[]", places)
    lib.distances(rows, len(rows), (latitude, longitude), ffi.from_buffer("double[]", out))
    return out
    # END SOLUTION
