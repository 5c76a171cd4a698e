"""A type of its own for what C gives, which is freed by a `with` block."""

import ctypes
import os
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libarchive.so")), use_errno=True)


class Text(ctypes.c_void_p):
    def __enter__(self):
        return self

    def __exit__(self, *details):
        lib.archive_free(self)

    def text(self):
        return ctypes.string_at(self.value).decode() if self.value else ""


def _raise(code, name, message, number):
    if code == 1:
        raise KeyError(name)
    if code == 4:
        raise OSError(number, os.strerror(number), name)
    kind = {2: ValueError, 3: MemoryError}.get(code, RuntimeError)
    raise kind(message.text() if kind is not RuntimeError else f"{code} {message.text()}")


def get(name):
    key, size = name.encode(), ctypes.c_size_t()
    with Text() as value, Text() as message:
        where = (ctypes.byref(part) for part in (value, size, message))
        code = lib.archive_get(key, ctypes.c_size_t(len(key)), *where)
        if code:
            _raise(code, name, message, ctypes.get_errno())
        return ctypes.string_at(value, size.value)


def put(name, value):
    key = name.encode()
    with Text() as message:
        sizes = [ctypes.c_size_t(len(data)) for data in (key, value)]
        code = lib.archive_put(key, sizes[0], value, sizes[1], ctypes.byref(message))
        if code:
            _raise(code, name, message, ctypes.get_errno())
