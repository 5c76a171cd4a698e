"""Arrays with strides, and two threads that meet in the C library."""

import ctypes
import threading

import numpy as np


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
    """Return True if two threads were in the library at the same time."""
    library = ctypes.CDLL(subject.__file__)
    library.expect_threads(2)
    work = [np.arange(4.0), np.arange(8.0)]
    threads = [
        threading.Thread(target=subject.predict_all, args=(values, np.empty_like(values)))
        for values in work
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return bool(library.threads_have_met())
