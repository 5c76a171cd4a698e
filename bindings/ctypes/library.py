"""The C library as ctypes sees it, and the error of its kernels.

Shows:  loading a shared library that lies in the package's folder; a function with its types.
Bites:  without argtypes ctypes passes each Python int as a C int and cuts pointers in half; without
        restype it reads every result as an int. CDLL releases the GIL around each call, PyDLL holds
        it; `library.name` is always the same object, `library["name"]` is a new one each time.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import Structure, c_char, c_int64
from pathlib import Path
from typing import Any

_NAME = {"win32": "cookbook.dll", "darwin": "libcookbook.dylib"}.get(sys.platform, "libcookbook.so")
_FOLDERS = [Path(folder) for folder in sys.modules[__package__].__path__]
# An editable installation has two folders: one for the sources, one for the built files.
_PATH = next((path for path in (folder / _NAME for folder in _FOLDERS) if path.exists()), _NAME)

try:
    lib = ctypes.CDLL(str(_PATH))  # releases the GIL
    lib_gil = ctypes.PyDLL(str(_PATH))  # holds it
except OSError as error:
    raise ImportError(f"cannot load the C library: {error}") from error


def declare(library: ctypes.CDLL, name: str, restype: type | None, *argtypes: type) -> Any:
    """Return a function of the library with a declaration of its own."""
    function = library[name]
    function.restype = restype
    function.argtypes = argtypes
    return function


# The memory of a writable array of any length, in a quarter of the time of `array.ctypes.data`.
memory = (c_char * 0).from_buffer


class Error(Structure):
    """ck_error."""

    _fields_ = [
        (name, c_int64) for name in ("code", "offset", "record", "field", "expected", "actual")
    ]

    def values(self) -> tuple[int, ...]:
        """Return the six integers that ffi_cookbook.bindings.errors takes."""
        return tuple(getattr(self, name) for name, _ in self._fields_)
