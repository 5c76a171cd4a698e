"""With __del__ and atexit, which know no more than the handle."""

import atexit
import contextlib
import threading
import weakref
from ctypes import CDLL, CFUNCTYPE, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path

_lib = CDLL(str(Path(__file__).with_name("librecorder.so")))
_open = CFUNCTYPE(c_void_p, c_char_p)(("recorder_open", _lib))
_write = CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)(("recorder_write", _lib))
_size = CFUNCTYPE(c_size_t, c_void_p)(("recorder_size", _lib))
_close = CFUNCTYPE(c_int, c_void_p)(("recorder_close", _lib))
_all = weakref.WeakSet()


@atexit.register
def _close_all():
    for recorder in list(_all):
        with contextlib.suppress(OSError):
            recorder.close()


class Recorder:
    handle = None

    def __init__(self, name):
        self.guard = threading.Lock()
        self.handle = _open(name.encode())
        if self.handle is None:
            raise ValueError("no name")
        _all.add(self)

    def use(self, function, *arguments):
        with self.guard:
            if self.handle is None:
                raise ValueError("the recorder was closed")
            return function(self.handle, *arguments)

    def write(self, data):
        self.use(_write, data, len(data))

    size = property(lambda self: self.use(_size))

    def close(self):
        with self.guard:
            handle, self.handle = self.handle, None
        if handle is not None and _close(handle):
            raise OSError("the tape is lost")

    def __del__(self):
        with contextlib.suppress(OSError):
            self.close()

    def __enter__(self):
        self.size  # noqa: B018  (raises if it is closed)
        return self

    def __exit__(self, *details):
        self.close()
