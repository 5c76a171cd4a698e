"""Series that are made and inspected in Python."""

import copy
import gc
import pickle
import sys
import weakref

import numpy as np


class Label:
    """An object that can have weak references."""


def prepare(subject):
    """Let pickle find the module."""
    sys.modules.setdefault("exercise", subject)


def made(subject, name, values):
    """Make a series."""
    subject.Series(name, values)


def shown(subject, name, values):
    """Return the name, the values and the length of a series."""
    series = subject.Series(name=name, values=values)
    return [series.name, np.array(series.values), len(series)]


def scaled(subject, name, values, factor):
    """Return the name and the values of a scaled series."""
    series = subject.Series(name, values).scaled(factor)
    return [series.name, np.array(series.values)]


def kept(subject, n):
    """Return True if the values of a series to which nothing refers are unchanged."""
    values = subject.Series("x", [1.0] * n).values
    others = [np.full(n, 7.0) for _ in range(3)]
    found = np.array(values)  # copied by memcpy, which the sanitizer watches
    return bool((found == 1).all()) and len(others) == 3


def viewed(subject):
    """Return whether two views share memory, and whether one can be written to."""
    series = subject.Series("x", [1.0, 2.0])
    return [np.shares_memory(series.values, series.values), series.values.flags.writeable]


def set(subject):
    """Return the name and the label after they were set."""
    series = subject.Series("old", [1.0])
    series.name, series.label = "new", [1, 2]
    found = [series.name, series.label]
    series.label = None
    return [*found, series.label]


def equal(subject):
    """Return which series are equal to the first one."""
    first = subject.Series("a", [1.0, 2.0])
    others = [subject.Series("a", [1.0, 2.0]), subject.Series("b", [1.0, 2.0])]
    return [first == other for other in (*others, subject.Series("a", [1.0]), 5)]


def copied(subject, values, label):
    """Return whether a copy and a pickled series are equal to the first, and their labels."""
    series = subject.Series("a", values)
    series.label = label
    found = []
    for other in (copy.copy(series), pickle.loads(pickle.dumps(series))):
        found += [other == series, other.label]
    return found


def freed(subject):
    """Return True if a label is freed when its series is freed."""
    series = subject.Series("a", [1.0])
    series.label = Label()
    last = weakref.ref(series.label)
    del series
    return last() is None


def collected(subject):
    """Return True if a cycle through a series is collected."""
    series = subject.Series("a", [1.0])
    series.label = [series, Label()]
    last = weakref.ref(series.label[1])
    del series
    gc.collect()
    return last() is None
