"""Callbacks that record what they are called with, and callbacks that raise."""

import array
import threading

import numpy as np


def watched(subject, values, limit):
    """Return the result, and what the callback was called with."""
    values.flags.writeable = False
    calls = []
    count = subject.watch(values, limit, lambda i, value: calls.append((i, value)))
    return [count, calls]


def in_thread(subject):
    """Return True if the callback runs in the thread that has called watch."""
    threads = []
    subject.watch(array.array("d", [1.0]), 0.0, lambda i, v: threads.append(threading.get_ident()))
    return threads == [threading.get_ident()]


def raising(subject, values, last):
    """Return the class of exception that watch raises, and the calls before it."""
    calls = []

    def callback(i, value):
        calls.append(i)
        if i == last:
            raise KeyError(i)

    try:
        subject.watch(values, -1.0, callback)
    except Exception as error:
        return [type(error).__name__, calls]
    return ["", calls]


def refused(subject, fault):
    """Call watch with values that it must refuse."""
    wrong = {"dtype": np.ones(3, "f"), "dimensions": np.ones((2, 2)), "strides": np.ones(6)[::2]}
    subject.watch(wrong.get(fault, [1.0]), 2.0, lambda i, value: None)
