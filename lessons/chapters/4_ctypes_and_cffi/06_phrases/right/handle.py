"""The address is an object of its own type, which owns the list and its text."""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libphrases.so")))


class Handle(ctypes.c_void_p):
    text = b""

    def __del__(self):
        lib.phrases_close(self)


lib.phrases_open.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
lib.phrases_open.restype = Handle
lib.phrases_find.argtypes = [Handle, ctypes.c_char_p, ctypes.c_size_t]
lib.phrases_find.restype = ctypes.c_int64
lib.phrases_hash.argtypes = [Handle]
lib.phrases_hash.restype = ctypes.c_uint64
lib.phrases_close.argtypes = [ctypes.c_void_p]
lib.phrases_close.restype = None


class Phrases:
    def __init__(self, phrases):
        text = "\n".join(phrases).encode()
        self.handle = lib.phrases_open(text, len(text))
        self.handle.text = text

    def find(self, phrase):
        if self.handle is None:
            raise ValueError("the list is closed")
        data = phrase.encode()
        offset = lib.phrases_find(self.handle, data, len(data))
        return None if offset == -1 else offset

    def hash(self):
        if self.handle is None:
            raise ValueError("the list is closed")
        return lib.phrases_hash(self.handle)

    def close(self):
        self.handle = None
