"""An owner of the handle apart from the recorder; a with block for each use."""

import contextlib
import ctypes
import threading
import weakref
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("librecorder.so")))
lib.recorder_open.restype = ctypes.c_void_p
lib.recorder_size.restype = ctypes.c_size_t


class _Handle:
    def __init__(self, pointer):
        self.pointer, self.lock = ctypes.c_void_p(pointer), threading.Lock()

    @contextlib.contextmanager
    def used(self):
        with self.lock:
            if not self.pointer:
                raise ValueError("this recorder is closed")
            yield self.pointer

    def free(self):
        with self.lock:
            pointer, self.pointer = self.pointer, ctypes.c_void_p()
            return lib.recorder_close(pointer) if pointer else 0


class Recorder:
    def __init__(self, name):
        pointer = lib.recorder_open(ctypes.c_char_p(name.encode()))
        if pointer is None:
            raise ValueError(f"{name!r} is empty")
        self._handle = _Handle(pointer)
        weakref.finalize(self, self._handle.free)

    def write(self, data):
        with self._handle.used() as pointer:
            lib.recorder_write(pointer, ctypes.c_char_p(data), ctypes.c_size_t(len(data)))

    @property
    def size(self):
        with self._handle.used() as pointer:
            return lib.recorder_size(pointer)

    def close(self):
        if self._handle.free() < 0:
            raise OSError("lost")

    def __enter__(self):
        with self._handle.used():
            return self

    def __exit__(self, *details):
        self.close()
