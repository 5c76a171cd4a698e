"""Threads that must be able to run while another one smooths."""

import array
import threading

import meeting

prepare = meeting.prepare


def array_of(code, values):
    """Return an array.array, which cannot be resized while its buffer is acquired."""
    return array.array(code, values)


def smoothed(subject, values):
    """Return the values after the call."""
    subject.smooth(values)
    return values.tolist()


def threads_meet(subject):
    """Return True if another thread can run while one is in smooth_values."""
    return meeting.another_can_run(subject, subject.smooth, array.array("d", [1.0, 2.0]))


def resized(subject, n):
    """Return True if an array could be resized while another thread is in smooth_values."""
    values = array.array("d", range(n))
    subject.expect(2)
    other = threading.Thread(target=subject.smooth, args=(values,))
    other.start()
    found = False
    if meeting.entered(subject, other):
        try:
            values.extend(values)
            found = True
        except BufferError:
            pass
        found = bool(subject.join()) and found  # if the other thread was still in C
    other.join()
    subject.expect(0)
    return found
