"""A list of phrases, which C searches: find and fix what is wrong with this binding.

phrases.h, which is part of this exercise, says what libphrases.so does: read it first. Phrases
takes a list of strings without line breaks. `find` returns the offset of a phrase in the UTF-8 text
of all phrases, one on each line, or None; `hash` returns 64 bits; `close` may be called more than
once, and the other two raise ValueError after it.

    >>> phrases = exercise.Phrases(["alpha", "Öl", "beta"])
    >>> phrases.find("beta"), phrases.find("gamma")
    (10, None)
    >>> phrases.close()

TODO: the file is complete and has four bugs. Add only what their fixes need.
"""

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("libphrases.so")))
lib.phrases_open.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
# BEGIN SOLUTION
lib.phrases_open.restype = ctypes.c_void_p
# END SOLUTION
lib.phrases_find.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
lib.phrases_find.restype = ctypes.c_int64
lib.phrases_hash.argtypes = [ctypes.c_void_p]
# BEGIN SOLUTION
lib.phrases_hash.restype = ctypes.c_uint64
# END SOLUTION
lib.phrases_close.argtypes = [ctypes.c_void_p]
lib.phrases_close.restype = None


class Phrases:
    """A list of phrases that can be searched."""

    _list = None

    def __init__(self, phrases):
        #: text = "\n".join(phrases).encode()
        #: self._list = lib.phrases_open(text, len(text))
        # BEGIN SOLUTION
        self._text = "\n".join(phrases).encode()  # C points into it until the list is closed
        self._list = lib.phrases_open(self._text, len(self._text))
        # END SOLUTION
        if self._list is None:
            raise MemoryError

    def find(self, phrase):
        """Return the offset of a phrase, or None."""
        data = phrase.encode()
        offset = lib.phrases_find(self._open(), data, len(data))
        return None if offset < 0 else offset

    def hash(self):
        """Return the sum of the hashes of all phrases."""
        return lib.phrases_hash(self._open())

    def close(self):
        """Free the list."""
        lib.phrases_close(self._list)
        # BEGIN SOLUTION
        self._list = None
        # END SOLUTION

    def _open(self):
        if self._list is None:
            raise ValueError("the list is closed")
        return self._list

    __del__ = close
