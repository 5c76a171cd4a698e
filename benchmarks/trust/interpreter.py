"""The settings of this process's interpreter, and everything that slows it."""

from __future__ import annotations

import base64
import ctypes
import gc
import hashlib
import os
import signal
import site
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.core.clock import Loop, ProcessorLoop

SWITCHES = ("LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONMALLOC", "GLIBC_TUNABLES")
LIBRARIES = {"numpy": "numpy", "cffi": "cffi", "_cffi_backend": "cffi", "torch": "torch"}
"""By module, the distribution that it belongs to."""
CLOCKS = {  # by what they time: ours, and the system's
    "calls": (Loop.clock, time.CLOCK_MONOTONIC),
    "kernels": (ProcessorLoop.clock, time.CLOCK_PROCESS_CPUTIME_ID),
}
LOOKS, LOOK = 5, 2_000_000  # nanoseconds
LARGE = 1 << 26  # bytes: longer files are not hashed
FAMILIES = ("MALLOC_", "LD_AUDIT", "LD_BIND_NOW", "NPY_")
"""The beginnings of further variables that change the speed of memory, libraries or NumPy."""
SWITCH_INTERVAL = 0.005  # seconds, Python's default


def interpreter() -> dict[str, Any]:
    """Return the facts as they are now."""
    mapped.cache_clear()
    return {
        "dev_mode": sys.flags.dev_mode,
        "tracing": [name for name, on in _tracing().items() if on],
        "environment": {
            name: value
            for name, value in os.environ.items()
            if name in SWITCHES or name.startswith(FAMILIES)
        },
        "foreign": sorted(_foreign()),
        "threads": _threads(),
        "clocks": {name: _speed(*pair) for name, pair in CLOCKS.items()},
        "optimize": sys.flags.optimize,
        "state": [name for name, switched in _state().items() if switched],
    }


def _state() -> dict[str, bool]:
    """Return what a library may have switched in this process, and True where it has."""
    small = sys.float_info.epsilon / 4
    return {
        "subnormal numbers are zero": sys.float_info.min / 2 * 2 == 0,
        "numbers are rounded up or down": not 1 + small == 1 == -(-1 - small),
        "there is no garbage collection": not gc.isenabled(),
        "threads are switched at unusual times": sys.getswitchinterval() != SWITCH_INTERVAL,
        "a timer interrupts every call": any(signal.getitimer(one)[0] for one in range(3)),
        "the processors or the priority were changed": _place(0) != _place(os.getppid()),
    }


def _place(process: int) -> tuple[Any, ...]:
    """Return the processors and the priority of a process, if the system says."""
    if not hasattr(os, "sched_getaffinity"):
        return ()
    return os.sched_getaffinity(process), os.getpriority(os.PRIO_PROCESS, process)


def _threads() -> list[str]:
    """Return the names of other threads: Python's own, and those of the system where it has any."""
    named = [one.name for one in threading.enumerate() if one is not threading.main_thread()]
    tasks = Path("/proc/self/task")
    running = len([*tasks.iterdir()]) - 1 if tasks.exists() else 0
    return named + ["native"] * max(0, running - len(named))


def _speed(clock: Callable[[], int], beside: int) -> float:
    """Return how fast a clock of Python's runs beside the system's, which C reads.

    A busy machine may stop the process between two readings: the best of some looks counts.
    """
    library, now = ctypes.CDLL(None), (ctypes.c_long * 2)()

    def system() -> int:
        library.clock_gettime(beside, now)
        return now[0] * 10**9 + now[1]

    ratios = []
    for _ in range(LOOKS):
        ours, theirs = clock(), system()
        while system() - theirs < LOOK:
            pass
        ratios.append((clock() - ours) / (system() - theirs))
    return min(ratios, key=lambda ratio: abs(ratio - 1))


def _foreign() -> Iterator[str]:
    """Yield the files in use of libraries that differ from the installed ones."""
    used = mapped() | {
        Path(os.path.realpath(str(module.__file__)))
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in LIBRARIES and getattr(module, "__file__", None)
    }
    names = {path.name for path in used}
    sites = *site.getsitepackages(), site.getusersitepackages()
    homes = [os.path.realpath(home) for home in sites]
    for name, distribution in LIBRARIES.items():
        if (module := sys.modules.get(name)) is None:
            continue
        path = Path(os.path.realpath(str(module.__file__)))
        if not any(path.is_relative_to(home) for home in homes):
            yield str(path)
            continue
        for file in metadata.files(distribution) or ():
            if not file.hash or file.name not in names:
                continue
            path = Path(os.path.realpath(str(file.locate())))
            small = path in used and path.stat().st_size < LARGE
            if small and digest(path, file.hash.mode) != file.hash.value:
                yield str(path)


def digest(path: Path, algorithm: str) -> str:
    """Return the hash of a file as RECORD has it."""
    made = hashlib.new(algorithm, path.read_bytes()).digest()
    return base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def _evaluates_otherwise() -> bool:
    """Return True if another function than Python's evaluates frames (PEP 523)."""
    names = "_PyInterpreterState_GetEvalFrameFunc", "PyInterpreterState_Get"
    function, state = (getattr(ctypes.pythonapi, name, None) for name in names)
    usual = getattr(ctypes.pythonapi, "_PyEval_EvalFrameDefault", None)
    if function is None or state is None or usual is None:
        return False
    function.restype, state.restype = ctypes.c_void_p, ctypes.c_void_p
    used = function(ctypes.c_void_p(state()))
    return bool(used != ctypes.cast(usual, ctypes.c_void_p).value)


def _tracing() -> dict[str, bool]:
    monitoring = getattr(sys, "monitoring", None)
    return {
        "a function that evaluates frames (PEP 523)": _evaluates_otherwise(),
        "sys.settrace": sys.gettrace() is not None,
        "sys.setprofile": sys.getprofile() is not None,
        "sys.monitoring": monitoring is not None and any(map(monitoring.get_tool, range(6))),
        "tracemalloc": tracemalloc.is_tracing(),
    }


@cache
def mapped() -> frozenset[Path]:
    """Return the files mapped into this process's memory, if the system reports them."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return frozenset()
    return frozenset(Path(words[5]) for line in lines if len(words := line.split(maxsplit=5)) == 6)
