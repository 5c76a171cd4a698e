"""Ctrl-C, and any other signal whose handler raises, during a long kernel call.

Only the main thread runs signal handlers, and only while it runs Python code. In a compiled page
the kernel calls back to run them. A page in Python cannot do that: the handler would run before the
first line of the callback, and its exception cannot pass through the library. So another thread
makes the call, and the main thread waits in Python.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from contextlib import suppress
from threading import get_ident, main_thread
from typing import TypeAlias, TypeVar
from weakref import ref

import numpy as np
import numpy.typing as npt

LONG = 1 << 22  # bytes, or ids, that are worth a thread; fewer take a few milliseconds

Flag: TypeAlias = npt.NDArray[np.int32]
Result = TypeVar("Result")


def handles_signals() -> bool:
    """Return True in the thread that runs signal handlers."""
    return get_ident() == main_thread().ident


def interruptible(call: Callable[[Flag], Result]) -> Result:
    """Return the result of `call(stop)`, or raise an earlier exception of a signal handler.

    In the second case `stop[0]` becomes 1, which makes the kernel end the call.
    """
    stop = np.zeros(1, np.int32)
    results: list[Result] = []
    errors: list[BaseException] = []
    ended = allocate_lock()
    ended.acquire()

    def run() -> None:
        try:
            results.append(call(stop))
        except BaseException as error:
            errors.append(error)
        finally:
            ended.release()

    thread, threads = ref(run), [run]  # only the thread keeps `run` alive: they end together
    del run

    def wait() -> None:
        while thread() and not results and not errors:
            ended.acquire(timeout=0.05)  # a signal that came to another thread does not end it

    if not handles_signals():
        return call(stop)
    try:
        start_new_thread(threads.pop(), ())  # a Thread.start() that a handler interrupts may raise
        wait()
    except BaseException as error:
        stop[0] = 1
        while thread() and not results and not errors:
            with suppress(BaseException):  # another Ctrl-C, say: the first exception is raised
                wait()
        no_thread = isinstance(error, (RuntimeError, MemoryError)) and not results and not errors
        if not no_thread or error.__traceback__.tb_next:  # type: ignore[union-attr]
            raise
        stop[0] = 0
    if errors:
        raise errors[0]
    return results[0] if results else call(stop)  # a thread that finds no memory ends at once
