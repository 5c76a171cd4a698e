"""The costs of a learner's calls besides time, as far as their process can count them."""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
import tracemalloc
import types
from collections.abc import Callable
from typing import Any


def heap_in_use() -> Callable[[], int]:
    """Return a function for the bytes that malloc has allocated; 0 if libc does not report them."""

    class Info(ctypes.Structure):
        _fields_ = [(f"field{i}", ctypes.c_size_t) for i in range(10)]

    try:
        info = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return lambda: 0
    info.restype = Info
    return lambda: (found := info()).field4 + found.field7  # hblkhd, uordblks


def watched(arguments: list[Any]) -> list[Any]:
    """Return the arguments, the items of those that are lists or tuples, and None."""
    items = [item for part in arguments if type(part) in (list, tuple) for item in part]
    return [*arguments, *items, None]


def exported(value: Any) -> bool:
    """Return True if a buffer of a bytearray or array.array has been acquired and not released."""
    if type(value).__name__ not in ("bytearray", "array"):
        return False
    try:
        value.append(0)
    except BufferError:
        return True
    value.pop()
    return False


Counter = Callable[[Callable[..., Any], list[Any]], int]


def counter(path: str) -> Counter:
    """Return a function that counts a call's allocations, by the library of count.c."""
    if not path:
        return lambda function, arguments: 0
    library = ctypes.PyDLL(path)
    library.count_allocations.argtypes = (ctypes.py_object, ctypes.c_void_p, ctypes.c_size_t)
    library.count_allocations.restype = ctypes.c_long

    def count(function: Callable[..., Any], arguments: list[Any]) -> int:
        items = (ctypes.py_object * len(arguments))(*arguments)
        gc.collect()  # also empties the free lists, which would hide an allocation
        return int(library.count_allocations(function, items, len(arguments)))

    return count


def score(called: Callable[[], Any]) -> dict[str, float]:
    """Return the costs of one call besides time: memory, crossings, and the time it runs alone."""
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
