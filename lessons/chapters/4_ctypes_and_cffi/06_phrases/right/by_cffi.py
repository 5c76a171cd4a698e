"""The solution with cffi: ffi.gc frees the list, and ffi.release frees it at once."""

from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("""
    typedef struct phrases phrases;
    phrases *phrases_open(const char *text, size_t size);
    int64_t phrases_find(const phrases *list, const char *line, size_t size);
    uint64_t phrases_hash(const phrases *list);
    void phrases_close(phrases *list);
""")
lib = ffi.dlopen(str(Path(__file__).with_name("libphrases.so")))


class Phrases:
    def __init__(self, phrases):
        self.text = ffi.from_buffer("\n".join(phrases).encode())
        self.list = ffi.gc(lib.phrases_open(self.text, len(self.text)), lib.phrases_close)
        self.closed = False

    def _open(self):
        if self.closed:
            raise ValueError("closed")
        return self.list

    def find(self, phrase):
        data = phrase.encode()
        offset = lib.phrases_find(self._open(), data, len(data))
        return None if offset < 0 else offset

    def hash(self):
        return lib.phrases_hash(self._open())

    def close(self):
        if not self.closed:
            self.closed = True
            ffi.release(self.list)
