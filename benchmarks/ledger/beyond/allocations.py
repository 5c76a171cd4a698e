"""Allocations of a call, counted exactly.

A preloaded library counts the allocations of the call's thread from the C library, in a process
where Python allocates every object there (PYTHONMALLOC=malloc). Memory that is reused (Python's
free lists, NumPy's cache of small arrays, a binding's own) is not an allocation, and a copy into
such memory is not seen. A realloc counts as one of its new size.

Bytes per byte: the bytes that a call allocates for each additional byte of an argument. 0 means
borrowed memory, 1 one copy; a returned array itself counts 1. A Python float of a list takes 24
bytes and its slot 8, for 8 bytes of payload.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.core import machine
from benchmarks.core.native import shared
from benchmarks.core.process import ask
from benchmarks.ledger import empty


def measure(backends: Sequence[str], folder: Path) -> dict[str, Any]:
    """Return calls, bytes and per_byte by binding, row and contender.

    This needs glibc and a compiler.
    """
    library = built(folder)
    if library is None:
        return {}
    empty.build(folder)
    native = [
        backend for backend in reversed(backends) if backend != "numpy"
    ]  # torch takes longest
    with ThreadPoolExecutor(machine.cores()) as pool:
        jobs = ([backend, str(library)] for backend in native)
        found = pool.map(lambda job: ask("ledger.beyond.counting", job, counting(library)), jobs)
        return dict(zip(native, found, strict=True))


def counting(library: Path) -> dict[str, str]:
    """Return the environment of a process that counts."""
    return {"LD_PRELOAD": str(library), "PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}


def built(folder: Path) -> Path | None:
    """Return the library to preload."""
    if platform.libc_ver()[0] != "glibc":
        return None
    try:
        return shared(Path(__file__).with_suffix(".c"), folder)
    except ImportError:  # no compiler
        return None
