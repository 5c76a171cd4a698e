"""The solution with cffi: a void pointer with a destructor, which close removes."""

import threading
from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("""
    typedef struct recorder recorder;
    recorder *recorder_open(const char *name);
    void recorder_write(recorder *recorder, const char *data, size_t size);
    size_t recorder_size(recorder *recorder);
    int recorder_close(recorder *recorder);
""")
lib = ffi.dlopen(str(Path(__file__).with_name("librecorder.so")))


class Recorder:
    def __init__(self, name):
        handle = lib.recorder_open(name.encode())
        if handle == ffi.NULL:
            raise ValueError("a recorder needs a name")
        self.handle, self.lock = ffi.gc(handle, lib.recorder_close), threading.RLock()

    def _alive(self):
        if self.handle is None:
            raise ValueError("closed")
        return self.handle

    def write(self, data):
        with self.lock:
            lib.recorder_write(self._alive(), data, len(data))

    @property
    def size(self):
        with self.lock:
            return lib.recorder_size(self._alive())

    def close(self):
        with self.lock:
            handle, self.handle = self.handle, None
            if handle is None:
                return
            ffi.gc(handle, None)
            if lib.recorder_close(handle) < 0:
                raise OSError("not stored")

    def __enter__(self):
        self._alive()
        return self

    def __exit__(self, kind, error, traceback):
        self.close()
