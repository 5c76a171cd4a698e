"""Check what is stored, what is refused, and which memory is not freed."""

import contextlib
import ctypes
from pathlib import Path


def stored(exercise, pairs):
    """Store all the values, and return what is found under each name."""
    for name, value in pairs:
        exercise.put(name, value)
    return [exercise.get(name) for name, _ in pairs]


def system_error(exercise, name):
    """Return the type, the errno and the file name of the OSError that `get` raises."""
    try:
        exercise.get(name)
    except OSError as error:
        return type(error).__name__, error.errno, error.filename
    return None


def outstanding(exercise, name):
    """Return the number of pieces of C memory that calls with that name do not free."""
    library = ctypes.CDLL(str(Path(exercise.__file__).with_name("libarchive.so")))
    before = library.archive_outstanding()
    for function, rest in ((exercise.get, ()), (exercise.put, (b"value",))):
        with contextlib.suppress(Exception):
            function(name, *rest)
    return library.archive_outstanding() - before


def crowded(exercise):
    """Store more values than there is room for."""
    for number in range(65):
        exercise.put(f"number {number}", b"")
