"""Calls to parse_numbers, from one thread and from two."""

import ctypes
import threading

NOTHING = -99.0


def prepare(library):
    """Declare the prototypes."""
    size, doubles = ctypes.c_size_t, ctypes.POINTER(ctypes.c_double)
    library.parse_numbers.argtypes = [ctypes.c_char_p, size, doubles, size, ctypes.POINTER(size)]
    library.parse_numbers.restype = ctypes.c_int
    library.parse_error.argtypes = []
    library.parse_error.restype = ctypes.c_char_p


def parse(library, text, room):
    """Return the code, the numbers written, and the whole of `out`."""
    data = text.encode()
    out = (ctypes.c_double * (room + 3))(*[NOTHING] * (room + 3))
    last = ctypes.cast(ctypes.byref(out, 24), ctypes.POINTER(ctypes.c_double))
    written = ctypes.c_size_t(0)
    code = library.parse_numbers(data, len(data), last, room, written)
    return code, written.value, out[3:]


def message(library, text, room=10):
    """Return the code and the message of a call."""
    return parse(library, text, room)[0], library.parse_error().decode()


def some_message(library, text, room=10):
    """Return the code, and True if the call replaced an earlier message."""
    before = message(library, "different")[1]
    code, after = message(library, text, room)
    return code, bool(after) and after != before


def two_threads(library, text, other):
    """Return this thread's message after another thread has failed as well."""
    parse(library, text, 10)
    thread = threading.Thread(target=parse, args=(library, other, 10))
    thread.start()
    thread.join()
    return library.parse_error().decode()
