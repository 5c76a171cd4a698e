"""Threads that must be able to run while another one smooths."""

import array
import ctypes
import threading


def prepare(subject):
    """Declare the functions of meeting.h, which let threads meet."""
    library = ctypes.CDLL(subject.__file__)
    subject.expect, subject.count, subject.join = (
        getattr(library, f"meeting_{name}") for name in ("expect", "count", "join")
    )


def array_of(code, values):
    """Return an array.array, which cannot be resized while its buffer is acquired."""
    return array.array(code, values)


def smoothed(subject, values):
    """Return the values after the call."""
    subject.smooth(values)
    return values.tolist()


def entered(subject, other):
    """Wait until the other thread is in C. Return False if it never was."""
    while not subject.count():
        if not other.is_alive():
            return subject.count() > 0
    return True


def threads_meet(subject):
    """Return True if another thread can run while one is in smooth_values."""
    subject.expect(2)
    other = threading.Thread(target=subject.smooth, args=(array.array("d", [1.0, 2.0]),))
    other.start()
    met = subject.join() if entered(subject, other) else True  # else not called: see other cases
    other.join()
    subject.expect(0)
    return bool(met)


def resized(subject, n):
    """Return True if an array could be resized while another thread is in smooth_values."""
    values = array.array("d", range(n))
    subject.expect(2)
    other = threading.Thread(target=subject.smooth, args=(values,))
    other.start()
    found = False
    if entered(subject, other):
        try:
            values.extend(values)
            found = True
        except BufferError:
            pass
        found = bool(subject.join()) and found  # if the other thread was still in C
    other.join()
    subject.expect(0)
    return found
