"""Arrays that must be refused, signals in a portion, and threads that meddle."""

import contextlib
import ctypes
import signal
import threading

import meeting
import numpy as np


def prepare(subject):
    """Declare the functions of portion.c and meeting.h that are for the checker."""
    library = ctypes.CDLL(subject.__file__)
    meeting.prepare(subject, library)
    subject.forget, subject.made, subject.held = (
        getattr(library, f"portions_{name}") for name in ("forget", "made", "held")
    )


def strided(n):
    """Return an int64 array of shape (n, 2) whose rows have others between them."""
    return np.zeros((2 * n, 2), np.int64)[::2]


def frozen(n):
    """Return an int64 array of shape (n, 2) that cannot be written to."""
    array = np.zeros((n, 2), np.int64)
    array.flags.writeable = False
    return array


def tables(n):
    """Return a table of n spans and a cursor."""
    return np.zeros((n, 2), np.int64), np.zeros(4, np.int64)


def by_keywords(subject, data, n):
    """Return the rows found if all arguments are given by their names."""
    spans, cursor = tables(n)
    options = {"resync": False, "final": False, "verify": False}
    return subject.index_records(cursor=cursor, spans=spans, buffer=data, **options)


def portions(subject, data, n):
    """Return the rows found, the number of portions, and the state of the GIL in them."""
    subject.forget(-1)
    try:
        rows = subject.index_records(data, *tables(n))
    except NotImplementedError:
        return "nothing"
    held = subject.held()
    state = "held" if held == subject.made() else "released" if not held else "both"
    return rows, subject.made(), state


def interrupted(subject, data, n, portion):
    """Return the rows at which a signal stops a call, and the spans when it has gone on."""

    def stop(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    spans, cursor = tables(n)
    subject.forget(portion)
    try:
        subject.index_records(data, spans, cursor)
        return "not interrupted"
    except NotImplementedError:
        return "nothing"
    except KeyboardInterrupt:
        stopped = int(cursor[3])
    finally:
        subject.forget(-1)
        signal.signal(signal.SIGINT, before)
    subject.index_records(data, spans, cursor)
    return stopped, spans


def meanwhile(subject, data, n, meddle):
    """Return the spans and the cursor of a call during which another thread meddles."""
    spans, cursor = tables(n)

    def run():
        with contextlib.suppress(Exception):  # the tables show that it has failed
            subject.index_records(data, spans, cursor)

    subject.expect(2)
    other = threading.Thread(target=run)
    other.start()
    if not meeting.entered(subject, other):
        return "no portion"
    meddle(data, cursor)
    met = subject.join()
    subject.expect(0)
    other.join()
    return (spans, cursor) if met else "alone"


def overwritten(subject, data, n):
    """Return the result of a call during which another thread overwrites the cursor."""

    def meddle(data, cursor):
        cursor[:] = 10**12

    return meanwhile(subject, data, n, meddle)


def resized(subject, data, n):
    """Return "refused" if another thread cannot resize the data during a call."""
    found = []

    def meddle(data, cursor):
        try:
            data.extend(data)
            found.append("resized")
        except BufferError:
            found.append("refused")

    met = meanwhile(subject, data, n, meddle)
    return found[0] if met not in ("alone", "no portion") else met
