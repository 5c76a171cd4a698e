"""Arrays as they occur in practice: with strides, backwards, read-only, one column of a matrix."""

import numpy as np


def plain(values, dtype="float64"):
    """Return a contiguous array."""
    return np.array(values, dtype)


def strided(values, step):
    """Return an array whose items lie `step` items apart, with useless values in between."""
    n = len(values)
    room = np.full(2 * n * abs(step) + 1, -1e300)
    view = room[n * abs(step) :: step][:n]
    view[:] = values
    return view


def frozen(values):
    """Return an array that cannot be written to."""
    array = np.array(values, float)
    array.setflags(write=False)
    return array
