"""Summaries of buffers of several kinds."""

import array

import numpy as np


def frozen(items, kind="d"):
    """Return a NumPy array that cannot be written to."""
    values = np.array(items, kind)
    values.flags.writeable = False
    return values


MAKERS = {"array": lambda items: array.array("d", items), "numpy": np.array, "read-only": frozen}


def summed(exercise, kind, parts):
    """Return the number, the mean and the variance of parts."""
    summary = exercise.Summary()
    others = [exercise.Summary() for _ in range(3)]
    for part in parts:
        summary.add(MAKERS[kind](part))
        others.pop().add(array.array("d", [7.0])) if others else None
    out = np.zeros(3)
    summary.read(out)
    return out.tolist()


def added(exercise, typecode):
    """Add a buffer of another type."""
    exercise.Summary().add(array.array(typecode, [1, 2, 3]))


def read(exercise, n, kind):
    """Return what a buffer of n items holds after `read`."""
    summary = exercise.Summary()
    summary.add(array.array("d", [2.0, 4.0]))
    out = frozen([0.0] * n) if kind == "read-only" else np.zeros(n, kind)
    summary.read(out)
    return out.tolist()


def empty(exercise):
    """Read a summary of nothing."""
    out = array.array("d", [0.0] * 3)
    exercise.Summary().read(out)
