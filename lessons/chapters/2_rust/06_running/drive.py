"""Arrays of all kinds, and a thread that wants to run."""

import meeting
import numpy as np


def mean(module, values, out):
    """Return what is written to a copy of out."""
    out = out.copy()
    module.running_mean(values, out)
    return out


def strided(module, values, step):
    """Return what is written to every third item, for values that are a part of an array."""
    values = values[::step]
    room = np.zeros(3 * len(values))
    module.running_mean(values, room[::3])
    return room[::3].copy()


def frozen(module, values):
    """Return the result for read-only values."""
    values.flags.writeable = False
    return mean(module, values, np.zeros(len(values)))


def read_only(n):
    """Return an array that cannot be written to."""
    out = np.zeros(n)
    out.flags.writeable = False
    return out


def overlapping(module, n, shift):
    """Write into the memory that is read."""
    memory = np.ones(n + shift)
    module.running_mean(memory[:n], memory[shift:])


def threads_run(module, n):
    """Return True if another thread can run during a call."""
    values, out = np.ones(n), np.zeros(n)
    return meeting.runs_beside(lambda: module.running_mean(values, out))
