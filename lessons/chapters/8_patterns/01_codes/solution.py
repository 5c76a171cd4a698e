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


def get(name):
    """Return the value with that name."""
    key = name.encode()
    value, size, message = ctypes.c_void_p(), size_t(), ctypes.c_void_p()
    code = lib.archive_get(key, len(key), value, size, message)
    try:
        _check(code, name, message)
        return ctypes.string_at(value, size.value)
    finally:
        lib.archive_free(value)
        lib.archive_free(message)


def put(name, value):
    """Store a value."""
    key = name.encode()
    message = ctypes.c_void_p()
    code = lib.archive_put(key, len(key), value, len(value), message)
    try:
        _check(code, name, message)
    finally:
        lib.archive_free(message)
