"""Recorders that are closed, forgotten, broken, and shared by threads."""

import ctypes
import gc
import threading
import time
from pathlib import Path

import meeting


def prepare(exercise):
    """Declare the functions of recorder.c that are for the checker."""
    library = ctypes.CDLL(str(Path(exercise.__file__).with_name("librecorder.so")))
    meeting.prepare(exercise, library)
    exercise.open_recorders, exercise.disturbed = (
        library.recorders_open,
        library.recorders_disturbed,
    )


def sizes(exercise, pieces):
    """Return the size of a tape after each piece."""
    with exercise.Recorder("tape") as recorder:
        found = [recorder.size]
        for piece in pieces:
            recorder.write(piece)
            found.append(recorder.size)
    return found


def new(exercise, name):
    """Make a recorder, which is collected at once."""
    exercise.Recorder(name)


def after_close(exercise, what):
    """Use a recorder after it was closed."""
    recorder = exercise.Recorder("used")
    recorder.write(b"something")
    recorder.close()
    recorder.close()
    if what == "write":
        recorder.write(b"more")
    elif what == "size":
        return recorder.size
    elif what == "with":
        with recorder:
            pass
    return None


def open_after(exercise, how):
    """Return the number of recorders that are open after one was used."""
    before = exercise.open_recorders()
    recorder = exercise.Recorder("left")
    if exercise.open_recorders() == before:
        return "none was opened"
    recorder.write(b"data")
    if how == "closed":
        recorder.close()
    elif how == "with":
        with recorder:
            pass
    elif how == "exception":
        try:
            with recorder:
                raise LookupError
        except LookupError:
            pass
    elif how == "cycle":
        recorder.itself = [recorder]
    if how in ("collected", "cycle"):
        del recorder
    gc.collect()
    return exercise.open_recorders() - before


def raised(exercise):
    """Return the exceptions of closing a broken recorder twice."""
    recorder, found = exercise.Recorder("broken"), []
    for _ in range(2):
        try:
            recorder.close()
            found.append(None)
        except OSError as error:
            found.append(type(error).__name__)
    return found


def shared(exercise):
    """Return what happened when one thread closed a recorder while another one wrote."""
    recorder, before = exercise.Recorder("shared"), exercise.disturbed()
    exercise.expect(2)
    writer = threading.Thread(target=recorder.write, args=(b"data",))
    closer = threading.Thread(target=recorder.close)
    writer.start()
    meeting.entered(exercise, writer)
    closer.start()
    until = time.monotonic() + 0.3
    while exercise.disturbed() == before and time.monotonic() < until:
        time.sleep(0.01)
    wrote = exercise.count() > 0
    exercise.join()
    writer.join()
    closer.join()
    exercise.expect(0)
    if not wrote:
        return "nothing was written"
    return "closed while it wrote" if exercise.disturbed() > before else "closed after it wrote"
