"""The list is closed by weakref.finalize, which runs at most once."""

import ctypes
import weakref
from ctypes import POINTER, c_char_p, c_int64, c_size_t, c_uint64
from pathlib import Path


class _List(ctypes.Structure):
    """The struct phrases, whose fields are none of our business."""


lib = ctypes.CDLL(str(Path(__file__).with_name("libphrases.so")))
lib.phrases_open.restype, lib.phrases_open.argtypes = POINTER(_List), (c_char_p, c_size_t)
lib.phrases_find.restype = c_int64
lib.phrases_find.argtypes = POINTER(_List), c_char_p, c_size_t
lib.phrases_hash.restype, lib.phrases_hash.argtypes = c_uint64, (POINTER(_List),)
lib.phrases_close.restype, lib.phrases_close.argtypes = None, (POINTER(_List),)


def _free(pointer, text):
    lib.phrases_close(pointer)


class Phrases:
    def __init__(self, phrases):
        text = "\n".join(phrases).encode()
        self._pointer = lib.phrases_open(text, len(text))
        if not self._pointer:
            raise MemoryError
        self.close = weakref.finalize(self, _free, self._pointer, text)

    def find(self, phrase):
        data = phrase.encode()
        offset = lib.phrases_find(self._alive(), data, len(data))
        return offset if offset >= 0 else None

    def hash(self):
        return lib.phrases_hash(self._alive())

    def _alive(self):
        if not self.close.alive:
            raise ValueError("closed")
        return self._pointer
