"""Long work: the same state in every binding; Ctrl-C interrupts it; other threads run meanwhile."""

from __future__ import annotations

import faulthandler
import signal
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

pytestmark = pytest.mark.part("patterns")

SLICE = 65536
FOREVER = 2**40  # rounds, which take twenty minutes


@cache
def xorshift(rounds: int) -> int:
    state = 1
    for _ in range(rounds):
        state ^= (state << 13) % 2**64
        state ^= state >> 7
        state ^= (state << 17) % 2**64
    return state


ROUNDS = [0, 1, 2, 3, 6, SLICE - 1, SLICE, SLICE + 1, 3 * SLICE + 5]


def test_work(patterns: Any) -> None:
    assert [patterns.interruptible(n) for n in ROUNDS] == [xorshift(n) for n in ROUNDS]
    assert any(xorshift(n) >= 2**63 for n in ROUNDS)  # the result is unsigned


class Once:
    """An index that becomes another number the second time."""

    def __init__(self) -> None:
        self.numbers = iter([3, -5, -7])

    def __index__(self) -> int:
        return next(self.numbers)


def test_the_index_is_asked_once(patterns: Any) -> None:
    assert patterns.interruptible(Once()) == xorshift(3)


# ---- interruptions -------------------------------------------------------------------------


class Oops(Exception):
    """An exception that no binding knows."""


@pytest.fixture
def watchdog() -> Iterator[None]:
    """End a run that nothing interrupts."""
    faulthandler.dump_traceback_later(60, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def test_control_c(patterns: Any, watchdog: None) -> None:
    """It comes from another Python thread, which runs while the work does."""
    thread = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])

    def work() -> None:
        thread.start()
        patterns.interruptible(FOREVER)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    assert patterns.interruptible(1) == xorshift(1)


def test_what_a_handler_raises_comes_out(patterns: Any, watchdog: None) -> None:
    oops = Oops("from a handler")

    def raises(*_: Any) -> None:
        raise oops

    before = signal.signal(signal.SIGALRM, raises)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Oops) as caught:
            patterns.interruptible(FOREVER)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert caught.value is oops


def test_work_in_many_threads(patterns: Any) -> None:
    results: list[int] = []
    work = lambda: results.append(patterns.interruptible(3 * SLICE + 5))  # noqa: E731
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [xorshift(3 * SLICE + 5)] * 4
