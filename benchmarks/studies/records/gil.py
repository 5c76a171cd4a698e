"""How much of the time the GIL is held while something runs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

from benchmarks.core.native import shared

SOURCE = Path(__file__).with_name("gil.c")
PAUSE, LEAST = 200_000, 2_000  # ns: between two looks, and how long one takes where the GIL is held


def share_held(call: Callable[[], object], seconds: float, folder: Path) -> float:
    """Return the share of the time, in percent, in which a call that is repeated holds the GIL.

    Args:
        call: what is repeated, in any number of threads of this process.
        seconds: how long it is repeated, at least.
        folder: for the compiled library.
    """
    look, stop = ctypes.CDLL(str(shared(SOURCE, folder))).share_held, ctypes.c_int32()
    look.restype = ctypes.c_double
    acquire, release = (
        ctypes.cast(getattr(ctypes.pythonapi, f"PyGILState_{name}"), ctypes.c_void_p)
        for name in ("Ensure", "Release")
    )
    pauses = ctypes.c_int64(PAUSE), ctypes.c_int64(LEAST)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(look, *pauses, acquire, release, ctypes.byref(stop))
        try:
            end = perf_counter() + seconds
            while perf_counter() < end:
                call()
        finally:
            stop.value = 1
        return 100 * float(found.result())
