"""Return freed memory to the system.

The next allocation then gets untouched pages, and the size of a process is what it uses.
"""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Where the C library, as glibc does, keeps what was freed."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
