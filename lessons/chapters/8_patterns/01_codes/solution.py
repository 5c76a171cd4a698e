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

#: import ctypes
#: from pathlib import Path
#:
#: lib = ctypes.CDLL(str(Path(__file__).with_name("libarchive.so")))
# BEGIN SOLUTION
import ctypes
import os
from pathlib import Path

OK, MISSING, DAMAGED, FULL, SYSTEM = range(5)
KINDS = {DAMAGED: ValueError, FULL: MemoryError}

lib = ctypes.CDLL(str(Path(__file__).with_name("libarchive.so")), use_errno=True)
out, size_t = ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t
lib.archive_get.argtypes = [ctypes.c_char_p, size_t, out, ctypes.POINTER(size_t), out]
lib.archive_get.restype = ctypes.c_int
lib.archive_put.argtypes = [ctypes.c_char_p, size_t, ctypes.c_char_p, size_t, out]
lib.archive_put.restype = ctypes.c_int
lib.archive_free.argtypes = [ctypes.c_void_p]
lib.archive_free.restype = None


def _check(code, name, message):
    """Raise the exception that a code stands for."""
    if code == OK:
        return
    if code == MISSING:
        raise KeyError(name)
    if code == SYSTEM:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)
    text = ctypes.string_at(message.value).decode() if message else ""
    if code in KINDS:
        raise KINDS[code](text)
    raise RuntimeError(f"code {code}: {text}")


# END SOLUTION


def get(name):
    """Return the value with that name."""
    #: # TODO
    # BEGIN SOLUTION
    key = name.encode()
    value, size, message = ctypes.c_void_p(), size_t(), ctypes.c_void_p()
    code = lib.archive_get(key, len(key), value, size, message)
    try:
        _check(code, name, message)
        return ctypes.string_at(value, size.value)
    finally:
        lib.archive_free(value)
        lib.archive_free(message)
    # END SOLUTION


def put(name, value):
    """Store a value."""
    # BEGIN SOLUTION
    key = name.encode()
    message = ctypes.c_void_p()
    code = lib.archive_put(key, len(key), value, len(value), message)
    try:
        _check(code, name, message)
    finally:
        lib.archive_free(message)
    # END SOLUTION
