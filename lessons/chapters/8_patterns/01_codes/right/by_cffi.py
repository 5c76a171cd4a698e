"""The solution with cffi, whose gc frees the memory that C returned."""

import os
from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("""
    int archive_get(const char *, size_t, char **value, size_t *size, char **message);
    int archive_put(const char *, size_t, const char *, size_t, char **message);
    void archive_free(char *);
""")
lib = ffi.dlopen(str(Path(__file__).with_name("libarchive.so")))


def _owned(place):
    return ffi.gc(place[0], lib.archive_free)


def _error(code, name, message):
    text = ffi.string(message).decode() if message else ""
    match code:
        case 1:
            return KeyError(name)
        case 2:
            return ValueError(text)
        case 3:
            return MemoryError(text)
        case 4:
            return OSError(ffi.errno, os.strerror(ffi.errno), name)
    return RuntimeError(f"{code}: {text}")


def get(name):
    key = name.encode()
    places, size = [ffi.new("char **") for _ in range(2)], ffi.new("size_t *")
    code = lib.archive_get(key, len(key), places[0], size, places[1])
    error = ffi.errno
    value, message = map(_owned, places)
    ffi.errno = error
    if code:
        raise _error(code, name, message)
    return ffi.unpack(value, size[0])


def put(name, value):
    key = name.encode()
    place = ffi.new("char **")
    code = lib.archive_put(key, len(key), value, len(value), place)
    error = ffi.errno
    message = _owned(place)
    ffi.errno = error
    if code:
        raise _error(code, name, message)
