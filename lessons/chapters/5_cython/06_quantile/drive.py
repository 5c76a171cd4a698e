"""Arrays as they occur in practice."""

import numpy as np


def array(values):
    """Return a read-only array of float64."""
    made = np.array(values, float)
    made.setflags(write=False)
    return made


def every_other(values):
    """Return an array with strides."""
    return np.repeat(np.array(values, float), 2)[::2]


def single(values):
    """Return an array of float32."""
    return np.array(values, np.float32)
