"""Samples with strides, and what other threads can do during peak."""

import ctypes
import threading

import numpy as np


def prepare(subject):
    """Declare the functions of meeting.h, which let threads meet."""
    library = ctypes.CDLL(subject.__file__)
    subject.expect, subject.count, subject.join = (
        getattr(library, f"meeting_{name}") for name in ("expect", "count", "join")
    )


def spread(values, step):
    """Return a view of the values, which lie `step` items apart in a larger array."""
    n = len(values)
    around = np.full(6 * n + 6, 1e9)
    start = 3 * n + 2
    view = around[start : start + n * step : step] if n else around[:0]
    view[...] = values
    return view


def amplified(subject, values, step, factor):
    """Return the samples after amplify."""
    view = spread(values, step)
    subject.amplify(view, factor)
    return view.copy()


def peak(subject, values, step):
    """Return the peak of samples with that stride."""
    return subject.peak(spread(values, step))


def frozen(subject):
    """Amplify a read-only array."""
    samples = np.ones(3)
    samples.flags.writeable = False
    subject.amplify(samples, 2.0)


def entered(subject, other):
    """Wait until the other thread is in C and return True, or False if it never was."""
    while not subject.count():
        if not other.is_alive():
            return subject.count() > 0
    return True


def threads_meet(subject):
    """Return True if another thread can run while one is in peak."""
    subject.expect(2)
    other = threading.Thread(target=subject.peak, args=(np.ones(3),))
    other.start()
    met = subject.join() if entered(subject, other) else True  # not called, as other cases show
    other.join()
    subject.expect(0)
    return bool(met)
