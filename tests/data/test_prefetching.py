"""Threads that work ahead: in order, within the bound, without a trace when they are done."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from ffi_cookbook.data.stream.prefetching import Job, Prefetcher
from support.processes import run_python


def jobs(n: int, size: int = 1) -> Iterator[Job]:
    return (Job(size, i) for i in range(n))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order_whichever_thread_is_first(threads: int) -> None:
    passed = [threading.Event() for _ in range(40)]

    def work(i: int) -> list[int]:
        if threads > 1 and i % 2 == 0 and i + 1 < 40:
            passed[i + 1].wait(30)  # the next one is done first
        passed[i].set()
        return [i]

    results = Prefetcher(jobs(40), work, lambda _: 1, threads=threads, max_bytes=100)
    assert list(results) == list(range(40))
    assert list(results) == []


def test_no_more_is_ahead_than_the_bound() -> None:
    """A result is expected to have 10 bytes, and has 30 when it is done."""
    lock, ahead, most = threading.Lock(), 0, 0

    def work(i: int) -> list[int]:
        nonlocal ahead, most
        with lock:
            ahead += 1
            most = max(most, ahead)
        return [i]

    for _ in Prefetcher(jobs(50, 10), work, lambda _: 30, threads=3, max_bytes=60):
        with lock:
            ahead -= 1
    assert 1 <= most <= 6
    single = Prefetcher(jobs(5, 1000), lambda i: [i], lambda _: 1000, threads=3, max_bytes=1)
    assert list(single) == [0, 1, 2, 3, 4]


def test_an_error_of_the_jobs_themselves_is_raised_too() -> None:
    def broken() -> Iterator[Job]:
        yield Job(1, 0)
        raise OSError("no index")

    results = Prefetcher(broken(), lambda i: [i], lambda _: 1, threads=2, max_bytes=9)
    assert next(results) == 0
    with pytest.raises(OSError, match="no index"):
        next(results)


def test_what_a_job_has_made_comes_before_its_error() -> None:
    def work(i: int) -> Iterator[int]:
        yield from range(3)
        raise LookupError

    results = Prefetcher(jobs(5), work, lambda _: 1, threads=2, max_bytes=9)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(LookupError):
        next(results)
    assert list(results) == []


def test_one_that_is_closed_or_forgotten_ends_its_threads(threads_ahead: Any) -> None:
    for close in (True, False):
        results = Prefetcher(jobs(10**6), lambda i: [i], lambda _: 1, threads=3, max_bytes=5)
        assert next(results) == 0
        assert threads_ahead() == 3
        if close:
            results.close()
            assert list(results) == []
        else:
            del results
        assert threads_ahead() == 0


AT_EXIT = """
import itertools
from ffi_cookbook.data.stream.prefetching import Job, Prefetcher
jobs = (Job(1, i) for i in itertools.count())
results = Prefetcher(jobs, lambda i: [i], lambda _: 1, threads=3, max_bytes=9)
print(next(results))
"""


FORK = """
import itertools, os
from ffi_cookbook.data.stream.prefetching import Job, Prefetcher
jobs = (Job(9, i) for i in itertools.count())
results = Prefetcher(jobs, lambda i: [i], lambda _: 9, threads=2, max_bytes=9)
next(results)
child = os.fork()
if not child:
    try:
        next(results)
    except RuntimeError as error:
        os._exit("begin a new iteration" not in str(error))
    os._exit(2)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), next(results))
"""

COLLECTED = """
import gc, threading, time
from ffi_cookbook.data.stream.prefetching import Job, Prefetcher

class Owner:
    pass

def jobs():
    yield Job(1, 0)
    forgotten.wait()
    time.sleep(0.1)  # the other thread waits for its turn
    gc.collect()  # as any allocation may
    yield Job(1, 1)

gc.disable()
forgotten, owner = threading.Event(), Owner()
owner.cycle = owner
owner.results = Prefetcher(jobs(), lambda i: [i], lambda _: 1, threads=2, max_bytes=9)
next(owner.results)
threads = threading.enumerate()[1:]
del owner
forgotten.set()
for thread in threads:
    thread.join(60)
print([thread.is_alive() for thread in threads])
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [(AT_EXIT, "0"), (FORK, "0 1"), (COLLECTED, "[False, False]")],
)
def test_in_a_process_of_its_own(program: str, expected: str) -> None:
    """One that is alive at exit does not hold up the process, nor does one in a fork.

    So does the garbage collector, even if it runs in one of the threads.
    """
    assert run_python("-c", program, seconds=120).strip() == expected
