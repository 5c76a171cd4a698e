"""What slows the interpreter of this process, and its settings."""

from __future__ import annotations

import os
import sys
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

SANITIZERS = ("libasan", "libtsan", "libubsan", "liblsan", "libclang_rt")
SWITCHES = ("COOKBOOK_ISA", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "PYTHONMALLOC", "GLIBC_TUNABLES")


def interpreter() -> dict[str, Any]:
    """Return the facts."""
    return {
        "dev_mode": sys.flags.dev_mode,
        "tracing": [name for name, on in _tracing().items() if on],
        "sanitizers": sorted(path.name for path in mapped() if path.name.startswith(SANITIZERS)),
        "environment": {name: os.environ[name] for name in SWITCHES if name in os.environ},
    }


def _tracing() -> dict[str, bool]:
    monitoring = getattr(sys, "monitoring", None)
    return {
        "sys.settrace": sys.gettrace() is not None,
        "sys.setprofile": sys.getprofile() is not None,
        "sys.monitoring": monitoring is not None and any(map(monitoring.get_tool, range(6))),
        "tracemalloc": tracemalloc.is_tracing(),
    }


def gil() -> bool:
    """Whether there is one just now."""
    return bool(getattr(sys, "_is_gil_enabled", lambda: True)())


@cache
def mapped() -> frozenset[Path]:
    """Return the files mapped into this process's memory, if the system reports them."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return frozenset()
    return frozenset(Path(words[5]) for line in lines if len(words := line.split(maxsplit=5)) == 6)
