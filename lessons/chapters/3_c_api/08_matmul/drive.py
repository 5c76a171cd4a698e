"""Arrays made in the learner's process, `out`, and what other threads can do meanwhile."""

import array
import contextlib

import meeting
import numpy as np

prepare = meeting.prepare


def transposed(values):
    """Return an array whose columns are contiguous."""
    return np.asfortranarray(values)


def spread(values):
    """Return a read-only view of the values in an array with other items between them."""
    around = np.full([2 * size for size in values.shape], 99.0)
    around[::2, ::2] = values
    view = around[::2, ::2]
    view.flags.writeable = False
    return view


def swapped(values):
    """Return an array in the other byte order."""
    return np.array(values, np.dtype("d").newbyteorder())


def into(subject, a, b, out):
    """Return True if the result is `out`, and the values of `out`."""
    result = subject.matmul(a, b, out=out)
    return [result is out, out]


def overlapping(subject, n):
    """Multiply into an argument."""
    a = np.ones((n, n))
    subject.matmul(a, a.copy(), out=a)


def read_only_out(subject, n):
    """Return what a read-only `out` holds after the call."""
    out = np.zeros((n, n))
    out.flags.writeable = False
    with contextlib.suppress(ValueError, TypeError, BufferError):
        subject.matmul(np.ones((n, n)), np.ones((n, n)), out=out)
    return out


def named(subject, a, b, threads):
    """Multiply with every argument passed by keyword."""
    return subject.matmul(a=a, b=b, out=None, threads=threads)


def exported(subject, place, good):
    """Return True if the memory of an argument can be resized after a call."""
    values = array.array("d", [1.0] * 6)
    matrix = np.frombuffer(values).reshape(2, 3)
    other = np.ones((3, 2) if good else (2, 2))
    with contextlib.suppress(ValueError):
        if place == "out":
            subject.matmul(np.ones((2, 4)), np.ones((4, 3)), out=matrix, threads=int(good))
        elif place == "a":
            subject.matmul(matrix, other, threads=int(good))
        else:
            subject.matmul(other.T, matrix, threads=int(good))
    del matrix
    try:
        values.append(1.0)
    except BufferError:
        return False
    return True


def threads_meet(subject):
    """Return True if another thread can run while one is in the kernel."""
    return meeting.another_can_run(subject, subject.matmul, np.ones((2, 2)), np.ones((2, 2)))
