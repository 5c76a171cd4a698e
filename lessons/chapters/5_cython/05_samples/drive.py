"""Samples whose array is gone, or is written to."""

import numpy as np


def results(samples):
    """Return what both methods return."""
    return samples.energy(), samples.crossings()


def of(subject, values):
    """Return the results for a read-only array."""
    array = np.array(values, np.int32)
    array.setflags(write=False)
    return results(subject.Samples(array))


def alone(subject, n, value):
    """Return the results for n equal samples in an array that nothing else holds."""
    samples = subject.Samples(np.full(n, value, np.int32))
    others = [np.full(n, -7, np.int32) for _ in range(4)]  # reuse the memory if it was freed
    found = results(samples)
    del others
    return found


def written(subject, values, changed):
    """Return the results after the array was written to."""
    array = np.array(values, np.int32)
    samples = subject.Samples(array)
    array[:] = changed
    return results(samples)


def refused(subject, values, dtype):
    """Make Samples of an array of another dtype."""
    subject.Samples(np.array(values, dtype))


def resized(subject, n):
    """Return the size of an array.array that grows after its Samples object is gone."""
    from array import array

    values = array("i", [1, -1] * n)
    samples = subject.Samples(values)
    del samples
    values.append(1)
    return len(values)
