"""Own what C has made: once, and not for longer than needed.

librecorder.so lies beside this file; recorder.h says what its functions do. Write the class
Recorder:

    >>> with exercise.Recorder("a") as recorder:
    ...     recorder.write(b"abc")
    ...     recorder.size
    3
    >>> recorder.close()            # again: that does nothing
    >>> recorder.write(b"d")
    ValueError: the recorder is closed

- An empty name raises ValueError.
- After close(), write and size raise ValueError, and so does `with`.
- The first close() raises OSError if the tape could not be stored.
- A recorder that nobody closes is closed when it is collected, or when the program ends.
- Threads may share a recorder. ctypes releases the GIL during a call, so another thread may close
  the recorder while one writes.
"""

#: import ctypes
#: from pathlib import Path
#:
#: lib = ctypes.CDLL(str(Path(__file__).with_name("librecorder.so")))
# BEGIN SOLUTION
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
# END SOLUTION


class Recorder:
    """A recorder in C memory."""

    def __init__(self, name):
        #: self._handle = None  # TODO
        #:
        # BEGIN SOLUTION
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

    # END SOLUTION
    def write(self, data):
        """Add data to the tape."""
        # BEGIN SOLUTION
        with self._lock:
            lib.recorder_write(self._open_handle(), data, len(data))
        # END SOLUTION

    @property
    def size(self):
        """Return the size of the tape."""
        #: return -1
        # BEGIN SOLUTION
        with self._lock:
            return lib.recorder_size(self._open_handle())
        # END SOLUTION

    def close(self):
        """Store the tape and free the recorder; do nothing the second time."""
        # BEGIN SOLUTION
        with self._lock:
            failed = self._close()  # None if it has run
        if failed:
            raise OSError("the tape could not be stored")
        # END SOLUTION

    def __enter__(self):
        # BEGIN SOLUTION
        with self._lock:
            self._open_handle()
        # END SOLUTION
        return self

    def __exit__(self, *details):
        self.close()
