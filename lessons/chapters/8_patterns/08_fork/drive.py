"""Processes that fork, with a thread in the pool or without."""

import ctypes
import os
import signal
import struct
import threading
import time
from pathlib import Path

import meeting

SECONDS = 2
"""A child that takes longer is ended by a signal."""


def prepare(exercise):
    """Declare the functions of pool.c that are for the checker."""
    library = ctypes.CDLL(str(Path(exercise.__file__).with_name("libpool.so")))
    meeting.prepare(exercise, library)
    exercise.made, exercise.disturbed = library.pools_made, library.pools_disturbed


def made(exercise):
    """Return the number of pools."""
    return exercise.made()


def several(exercise, lists):
    """Return the sums, and the number of pools that were made for them."""
    exercise.sum_of_squares([])
    before = exercise.made()
    return [exercise.sum_of_squares(values) for values in lists], exercise.made() - before


def in_child(work):
    """Return what a child's work returns: a float, or "the child stands still"."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            os.write(writer, struct.pack("d", work()))
        finally:
            os._exit(0)
    os.close(writer)
    data = os.read(reader, 8)
    os.close(reader)
    os.waitpid(child, 0)
    return struct.unpack("d", data)[0] if len(data) == 8 else "the child stands still"


def forked(exercise, values, depth):
    """Return the sum in a child, or in a child's child, and then in this process."""

    def work(depth):
        if depth == 1:
            return exercise.sum_of_squares(values)
        found = in_child(lambda: work(depth - 1))
        return found if isinstance(found, float) else float("nan")

    exercise.sum_of_squares(values)
    return [in_child(lambda: work(depth)), exercise.sum_of_squares(values)]


def kept(exercise, values):
    """Return the number of pools that this process makes after a fork."""
    exercise.sum_of_squares(values)
    before = exercise.made()
    in_child(lambda: 0.0)
    exercise.sum_of_squares(values)
    return exercise.made() - before


def unused(exercise, values):
    """Return the pools that a child makes before any sum, plus a tenth of those after two sums."""

    def work():
        before = exercise.made()
        found = exercise.made() - before
        exercise.sum_of_squares(values)
        exercise.sum_of_squares(values)
        return found + (exercise.made() - before) / 10

    exercise.sum_of_squares(values)
    return in_child(work)


def forked_meanwhile(exercise, values):
    """Return the sum in a child that is forked while a thread is in the pool."""

    def work():
        exercise.expect(0)
        return exercise.sum_of_squares(values)

    exercise.sum_of_squares(values)
    exercise.expect(2)
    other = threading.Thread(target=exercise.sum_of_squares, args=(values,))
    other.start()
    meeting.entered(exercise, other)
    found = in_child(work)
    exercise.join()
    other.join()
    exercise.expect(0)
    return found


def shared(exercise, values):
    """Return True if two threads were in one pool at the same time."""
    exercise.sum_of_squares(values)
    before = exercise.disturbed()
    exercise.expect(2)
    threads = [threading.Thread(target=exercise.sum_of_squares, args=(values,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 0.3
    while exercise.disturbed() == before and time.monotonic() < until:
        time.sleep(0.01)
    exercise.join()
    for thread in threads:
        thread.join()
    exercise.expect(0)
    return exercise.disturbed() > before
