"""Arrays that must be refused."""

import numpy as np


def strided(n):
    """Return an int64 array of shape (n, 2) with other rows between its rows."""
    return np.zeros((2 * n, 2), np.int64)[::2]


def frozen(n):
    """Return an int64 array of shape (n, 2) that cannot be written to."""
    array = np.zeros((n, 2), np.int64)
    array.flags.writeable = False
    return array
