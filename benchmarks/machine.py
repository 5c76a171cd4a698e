"""Where it ran, and how quiet it was there."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
import time
from pathlib import Path

NOISY = 0.1  # of the machine's time, used by others


def facts() -> dict[str, str | int | bool]:
    """The machine and the interpreter."""
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    return {
        "python_implementation": platform.python_implementation(),
        "python_version": platform.python_version(),
        "python_compiler": platform.python_compiler(),
        "gil": gil,
        "debug_build": bool(sysconfig.get_config_var("Py_DEBUG")),
        "machine": platform.machine(),
        "system": platform.system(),
        "release": platform.release(),
        "processor": _cpuinfo("model name") or platform.processor(),
        "cores": cores(),
    }


class Quiet:
    """How much of the machine others use, from when it is made."""

    def __init__(self) -> None:
        self._load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        self._start = _usage()

    def report(self) -> dict[str, float | None]:
        """The load at the start; the share of all cores' time that went to others since, or None
        where unknown."""
        return {"load": self._load, "others": self._others()}

    def _others(self) -> float | None:
        now = _usage()
        if now is None or self._start is None:
            return None
        busy, ours, wall = (after - before for after, before in zip(now, self._start, strict=True))
        return max(0.0, (busy - ours) / (wall * (os.cpu_count() or 1)))


def _usage() -> tuple[float, float, float] | None:
    """Seconds that all cores were busy, that we and our workers were, and of the clock."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    except OSError:
        return None
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, fields)
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return busy, sum(os.times()[:4]), time.monotonic()


def has_avx512() -> bool:
    """Whether this is an x86 with AVX-512."""
    return "avx512f" in _cpuinfo("flags").split()


def _cpuinfo(key: str) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(key)), "")


def cores() -> int:
    """Those this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
