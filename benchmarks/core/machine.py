"""The machine of a run, and the load on it."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import sysconfig
import time
from pathlib import Path

import numpy as np

NOISY = 0.1  # share of the machine's time, used by others


def python_build() -> str:
    """Return the options of Python's own build that make it faster."""
    flags = shlex.split(sysconfig.get_config_var("CONFIG_ARGS") or "")
    found = [flag for flag in flags if "optimizations" in flag or "lto" in flag]
    return " ".join(found) or "without PGO and LTO"


def facts() -> dict[str, str | int | bool]:
    """Return the machine and the interpreter."""
    return {
        "python_implementation": platform.python_implementation(),
        "python_version": platform.python_version(),
        "python_compiler": platform.python_compiler(),
        "python_build": python_build(),
        "gil": getattr(sys, "_is_gil_enabled", lambda: True)(),
        "numpy": np.__version__,
        "debug_build": bool(sysconfig.get_config_var("Py_DEBUG")),
        "machine": platform.machine(),
        "processor": cpuinfo("model name") or platform.processor(),
        "cores": cores(),
    }


class Quiet:
    """The use of the machine by others, since this object was made."""

    def __init__(self) -> None:
        self._load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        self._start = _usage()

    def report(self) -> dict[str, float | None]:
        """Return the load at the start, and the share of time that others have taken since.

        Others are processes, and other machines on this hardware; None if unknown.
        """
        now, others = _usage(), None
        if now is not None and self._start is not None:
            busy, ours, wall = (one - then for one, then in zip(now, self._start, strict=True))
            others = max(0.0, (busy - ours) / (wall * (os.cpu_count() or 1)))
        return {"load": self._load, "others": others}


def _usage() -> tuple[float, float, float] | None:
    """Return three times in seconds: all cores busy, this run, and the clock."""
    fields = _read(Path("/proc/stat")).split("\n", 1)[0].split()[1:9]
    if not fields:
        return None
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, fields)
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return busy, sum(os.times()[:4]), time.monotonic()


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def cpuinfo(key: str) -> str:
    """Return what the system says of its first processor, or nothing."""
    lines = _read(Path("/proc/cpuinfo")).splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(key)), "")


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
