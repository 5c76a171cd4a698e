"""Buffers made in the learner's process: arrays, and views that are not contiguous."""

import array


def array_of(code, values):
    """Return an array.array, which cannot be resized while its buffer is acquired."""
    return array.array(code, values)


def every_other(values):
    """Return a view of every other double."""
    return memoryview(array.array("d", values))[::2]


def read_only(values):
    """Return a view that may not be written to."""
    return memoryview(array.array("d", values)).toreadonly()


def matrix(values):
    """Return a view of two rows."""
    return memoryview(array.array("d", values)).cast("B").cast("d", (2, len(values) // 2))


def scaled(subject, values, factor):
    """Return the values after the call."""
    subject.scale(values, factor)
    return values.tolist()


def left_alone(subject, values, factor):
    """Return the values of an object that must be refused, after the call."""
    try:
        subject.scale(values, factor)
    except (TypeError, BufferError):
        return values.tolist()
    return "not refused"
