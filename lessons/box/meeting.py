"""Threads that meet in C, by the functions of meeting.h, or run beside a call, for drivers.

The drivers import this before the learner's code is loaded, which does not find it.
"""

from __future__ import annotations

import builtins
import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

__builtins__ = dict(vars(builtins))


def prepare(subject: Any, library: ctypes.CDLL | None = None) -> None:
    """Declare the functions of meeting.h, which lie in a library or in the subject itself."""
    library = library or ctypes.CDLL(subject.__file__)
    subject.expect, subject.count, subject.join = (
        getattr(library, f"meeting_{name}") for name in ("expect", "count", "join")
    )


def entered(subject: Any, other: threading.Thread) -> bool:
    """Wait until the other thread is in C; return False if it never was."""
    while not subject.count():
        if not other.is_alive():
            return bool(subject.count() > 0)
    return True


def another_can_run(subject: Any, function: Callable[..., object], *arguments: object) -> bool:
    """Return True if another thread can run while one is in the function."""
    subject.expect(2)
    other = threading.Thread(target=function, args=arguments)
    other.start()
    met = subject.join() if entered(subject, other) else True  # not called, as other cases show
    other.join()
    subject.expect(0)
    return bool(met)


def runs_beside(function: Callable[..., object], *arguments: object) -> bool:
    """Return True if a thread that waits for the GIL gets it while the function works.

    The interpreter asks no thread to give up the GIL meanwhile, so only the function releases it.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    seen = False
    for _ in range(20):
        start, ran = threading.Lock(), []
        start.acquire()
        other = threading.Thread(
            target=lambda start=start, ran=ran: (start.acquire(), ran.append(1))
        )
        other.start()
        start.release()
        function(*arguments)
        seen = bool(ran)
        other.join()
        if seen:
            break
    sys.setswitchinterval(interval)
    return seen
