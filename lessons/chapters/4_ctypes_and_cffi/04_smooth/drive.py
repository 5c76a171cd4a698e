"""Arrays that C must not see."""

import numpy as np


def strided(values):
    """Return an array of the values with others between them."""
    return np.repeat(np.array(values), 2)[::2]


def typed(values, dtype):
    """Return an array of another type, whose items have eight bytes too."""
    return np.array(values).astype(dtype)


def refused(exercise, values, x, out):
    """Return the values of `out` after a call with arrays, one of which is unfit."""
    arrays = {
        "plain": lambda: np.array(values),
        "strided": lambda: strided(values),
        "int64": lambda: typed(values, "i8"),
        "big-endian": lambda: typed(values, ">f8" if np.little_endian else "<f8"),
        "short": lambda: np.array(values)[:-1].copy(),
        "read-only": lambda: _frozen(np.array(values)),
        "square": lambda: np.array(values).reshape(2, -1),
        "list": lambda: list(values),
    }
    source, result = arrays[x](), arrays[out]()
    exercise.smooth(source, 0.5, result)
    return np.ravel(result).tolist()


def _frozen(array):
    array.flags.writeable = False
    return array
