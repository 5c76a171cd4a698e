"""Arrays with strides, and two threads that meet in the C library."""

import meeting
import numpy as np

prepare = meeting.prepare


def predicted(subject, values, step, writable):
    """Return what predict_all writes, for arrays whose items lie `step` items apart."""
    n = len(values)
    source, target = np.full((2, n * step), -5.0)
    source[::step] = values
    items, out = source[::step], target[::step]
    items.setflags(write=writable)
    result = subject.predict_all(items, out)
    return result, out.tolist(), bool((target == -5.0).sum() == n * (step - 1))


def stopped(subject, values):
    """Return the message of the ValueError, and what was written before."""
    out = np.full(len(values), -5.0)
    try:
        subject.predict_all(np.array(values), out)
    except ValueError as error:
        return str(error), out.tolist()
    return None, out.tolist()


def sizes(subject, n, m):
    """Call it with arrays of different sizes."""
    out = np.full(m, -5.0)
    try:
        subject.predict_all(np.ones(n), out)
    finally:
        assert (out == -5.0).all()


def threads_meet(subject):
    """Return True if another thread can run while one is in the library."""
    values = np.arange(4.0)
    return meeting.another_can_run(subject, subject.predict_all, values, np.empty_like(values))
