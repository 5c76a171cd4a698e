"""Turn the error codes of a C library into exceptions.

libarchive.so lies beside this file; archive.h says what its functions do. Write get(name) and
put(name, value), where name is a str (UTF-8 in the archive) and value is bytes:

    >>> exercise.put("a", b"one")
    >>> exercise.get("a")
    b'one'
    >>> exercise.get("b")
    KeyError: 'b'

    ARCHIVE_MISSING   KeyError(name)
    ARCHIVE_DAMAGED   ValueError with the message
    ARCHIVE_FULL      MemoryError with the message
    ARCHIVE_SYSTEM    OSError with errno and the name, as open() raises it: FileNotFoundError for
                      ENOENT, PermissionError for EACCES, and so on
    any other code    RuntimeError with the code and the message

What C allocated is freed, whatever happens.
"""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libarchive.so")))


def get(name):
    """Return the value with that name."""
    # TODO


def put(name, value):
    """Store a value."""
