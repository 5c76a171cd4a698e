"""Samples with strides, and what other threads can do during peak."""

import meeting
import numpy as np

prepare = meeting.prepare


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


def threads_meet(subject):
    """Return True if another thread can run while one is in peak."""
    return meeting.another_can_run(subject, subject.peak, np.ones(3))
