"""What calls of a learner's code cost besides time, as its process can count it."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
import tracemalloc
import types
from collections.abc import Callable
from typing import Any


def heap_in_use() -> Callable[[], int]:
    """Return a function that returns the bytes that malloc has given out, 0 if libc cannot say."""

    class Info(ctypes.Structure):
        _fields_ = [(f"field{i}", ctypes.c_size_t) for i in range(10)]

    try:
        info = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return lambda: 0
    info.restype = Info
    return lambda: (found := info()).field4 + found.field7  # hblkhd, uordblks


def score(called: Callable[[], Any]) -> dict[str, float]:
    """Return what one call costs besides time: memory, crossings, and for how long it is alone."""
    crossings = 0

    def count(frame: types.FrameType, event: str, function: Any) -> None:
        nonlocal crossings
        crossings += event == "c_call" and function is not sys.setprofile

    sys.setprofile(count)
    called()
    sys.setprofile(None)
    tracemalloc.start()
    called()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    called()
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return {"crossings": crossings, "bytes": peak, "gil": gil_share(called)}


def gil_share(called: Callable[[], Any], seconds: float = 0.03) -> float:
    """Return the share of the time of the calls in which another thread could not run."""
    steps, going = 0, True

    def step() -> None:
        nonlocal steps
        while going:
            steps += 1

    def rate(work: Callable[[], Any]) -> float:
        before, start = steps, time.perf_counter()
        while time.perf_counter() - start < seconds:
            work()
        return (steps - before) / (time.perf_counter() - start)

    other = threading.Thread(target=step)
    other.start()
    alone = rate(lambda: time.sleep(seconds))
    beside = rate(called)
    going = False
    other.join()
    return max(0.0, 1 - beside / alone)
