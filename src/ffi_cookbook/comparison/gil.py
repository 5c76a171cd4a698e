"""The test whether a call releases the GIL: only then can another thread run."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

NEVER = 1e6  # seconds after which the interpreter takes the GIL from a thread by itself
BATCH = 100


def releases(call: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> bool:
    """Return True if another thread has run during many calls.

    The calls end as soon as it has, or after `seconds`. A call that holds the GIL never makes this
    True, however busy the machine is.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(NEVER)
    seen, ended = [0], threading.Event()

    def count() -> None:
        while not ended.is_set():
            seen[0] += 1
            time.sleep(0)  # releases the GIL, and reacquires it

    other = threading.Thread(target=count)
    try:
        other.start()
        start, end = seen[0], time.monotonic() + seconds
        while seen[0] == start and time.monotonic() < end:
            for _ in range(BATCH):
                call(*arguments)
        return seen[0] != start
    finally:
        ended.set()
        sys.setswitchinterval(before)
        other.join()
