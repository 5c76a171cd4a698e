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

import ctypes
from pathlib import Path

lib = ctypes.CDLL(str(Path(__file__).with_name("librecorder.so")))


class Recorder:
    """A recorder in C memory."""

    def __init__(self, name):
        self._handle = None  # TODO

    def write(self, data):
        """Add data to the tape."""

    @property
    def size(self):
        """Return the size of the tape."""
        return -1

    def close(self):
        """Store the tape and free the recorder; do nothing the second time."""

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.close()
