"""Return freed memory to the system.

The next allocation then gets untouched pages, and the size of a process is the memory in use.
"""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Return freed memory to the system if the C library, as glibc does, would keep it."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
