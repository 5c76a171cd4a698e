"""All that C gave is copied and freed before anything is raised."""

import ctypes
import os
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libarchive.so")), use_errno=True)
lib.archive_free.argtypes = [ctypes.c_void_p]
for function in (lib.archive_get, lib.archive_put):
    function.restype = ctypes.c_int


def _taken(pointer, size=-1):
    data = ctypes.string_at(pointer, size) if pointer.value else b""
    lib.archive_free(pointer)
    return data


def _checked(code, name, message):
    number = ctypes.get_errno()
    text = _taken(message).decode()
    errors = {
        1: KeyError(name),
        2: ValueError(text),
        3: MemoryError(text),
        4: OSError(number, os.strerror(number), name),
    }
    if code:
        raise errors.get(code) or RuntimeError(f"{text} ({code})")


def get(name):
    key = name.encode()
    value, message, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    code = lib.archive_get(
        ctypes.c_char_p(key),
        ctypes.c_size_t(len(key)),
        ctypes.byref(value),
        ctypes.byref(size),
        ctypes.byref(message),
    )
    data = _taken(value, size.value)
    _checked(code, name, message)
    return data


def put(name, value):
    key, message = name.encode(), ctypes.c_void_p()
    code = lib.archive_put(
        ctypes.c_char_p(key),
        ctypes.c_size_t(len(key)),
        ctypes.c_char_p(value),
        ctypes.c_size_t(len(value)),
        ctypes.byref(message),
    )
    _checked(code, name, message)
