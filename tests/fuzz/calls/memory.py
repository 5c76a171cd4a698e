"""Memory that ends at an unreadable page, with canaries before it.

A write past the end is a signal at once; a write before the start is found after the call.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

PAGE = mmap.PAGESIZE
ROOM = 8 * PAGE
CANARY = 64


class Memory:
    """Slots of `ROOM` bytes, each between two pages that nobody can read or write."""

    def __init__(self, n_slots: int = 12) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._slots: list[npt.NDArray[np.uint8]] = []
        for _ in range(n_slots):
            whole = np.frombuffer(mmap.mmap(-1, ROOM + 2 * PAGE), np.uint8)
            for page in (0, PAGE + ROOM):
                address = ctypes.c_void_p(whole.ctypes.data + page)
                if libc.mprotect(address, ctypes.c_size_t(PAGE), 0):  # PROT_NONE
                    raise OSError(ctypes.get_errno(), "mprotect")
            self._slots.append(whole[PAGE : PAGE + ROOM])
        self._used: list[int] = []

    def clear(self) -> None:
        """Make every slot free again."""
        self._used.clear()

    def place(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a copy at the end of a slot of its own; on the heap if no slot has room."""
        size = array.nbytes
        if len(self._used) == len(self._slots) or size > ROOM - CANARY:
            return array.copy()
        slot, start = self._slots[len(self._used)], ROOM - size
        self._used.append(start)
        slot[start - CANARY : start] = 0xA5
        copy = slot[start:].view(array.dtype).reshape(array.shape)
        copy[...] = array
        return copy

    def damaged(self) -> bool:
        """Return True if a canary of the slots in use has changed."""
        return any(
            bytes(slot[start - CANARY : start]) != b"\xa5" * CANARY
            for slot, start in zip(self._slots, self._used, strict=False)
        )
