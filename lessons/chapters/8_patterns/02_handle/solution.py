import ctypes
import threading
import weakref
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("librecorder.so")))
lib.recorder_open.argtypes = [ctypes.c_char_p]
lib.recorder_open.restype = ctypes.c_void_p
lib.recorder_write.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
lib.recorder_write.restype = None
lib.recorder_size.argtypes = [ctypes.c_void_p]
lib.recorder_size.restype = ctypes.c_size_t
lib.recorder_close.argtypes = [ctypes.c_void_p]
lib.recorder_close.restype = ctypes.c_int


class Recorder:
    """A recorder in C memory."""

    def __init__(self, name):
        handle = lib.recorder_open(name.encode())
        if not handle:
            raise ValueError("name must not be empty")
        self._handle = handle
        self._lock = threading.Lock()
        self._close = weakref.finalize(self, lib.recorder_close, handle)  # runs once

    def _open_handle(self):
        if not self._close.alive:
            raise ValueError("the recorder is closed")
        return self._handle

    def write(self, data):
        """Add data to the tape."""
        with self._lock:
            lib.recorder_write(self._open_handle(), data, len(data))

    @property
    def size(self):
        """Return the size of the tape."""
        with self._lock:
            return lib.recorder_size(self._open_handle())

    def close(self):
        """Store the tape and free the recorder; do nothing the second time."""
        with self._lock:
            failed = self._close()  # None if it has run
        if failed:
            raise OSError("the tape could not be stored")

    def __enter__(self):
        with self._lock:
            self._open_handle()
        return self

    def __exit__(self, *details):
        self.close()
