"""Prefetcher: threads that do a sequence of jobs ahead, and hand out the results in order.

    jobs  --take, in order-->  threads  --results by number-->  next()

One lock guards everything but the work itself. A thread takes the next job when its size fits under
the bound, or when nothing at all is ahead, so that one huge job cannot block the rest.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")
Outcome: TypeAlias = tuple[int, T | None, BaseException | None]
"""The size of a result, and the result or what was raised in its place."""


class Job(NamedTuple):
    """What to do, and its expected size in bytes."""

    size: int
    argument: Any


class _Shared(Generic[T]):
    """What the threads and the iterator have in common.

    It does not know the iterator, which may therefore be forgotten while threads run.
    """

    def __init__(
        self, jobs: Iterator[Job], work: Callable[[Any], tuple[int, T]], max_bytes: int
    ) -> None:
        self.jobs, self.work, self.max_bytes = jobs, work, max_bytes
        self.changed = threading.Condition()
        self.waiting: Job | None = None  # taken, but too large for now
        self.results = dict[int, Outcome[T]]()
        self.n_taken = self.bytes_ahead = 0
        self.end: int | None = None  # the number of jobs, once it is known
        self.stopped = False

    def take(self) -> tuple[int, Job] | None:
        """Return the next job and its number, or None when there is none."""
        with self.changed:
            while not self.stopped and self.end is None:
                job = self.waiting = self.waiting or self.next_job()
                if job is None:
                    self.end = self.n_taken
                elif not self.bytes_ahead or self.bytes_ahead + job.size <= self.max_bytes:
                    self.waiting = None
                    self.bytes_ahead += job.size
                    self.n_taken += 1
                    return self.n_taken - 1, job
                else:
                    self.changed.wait()
            self.changed.notify_all()
            return None

    def next_job(self) -> Job | None:
        """Return the next job, or None at the end; an exception becomes the last result."""
        try:
            return next(self.jobs, None)
        except BaseException as error:
            self.results[self.n_taken] = 0, None, error
            self.n_taken += 1
            return None

    def run(self) -> None:
        """Do jobs until there is none: the body of each thread."""
        while taken := self.take():
            number, job = taken
            self.hand_over(number, job.size, self.outcome(job))

    def outcome(self, job: Job) -> Outcome[T]:
        """Do a job."""
        try:
            return *self.work(job.argument), None
        except BaseException as error:
            return job.size, None, error

    def hand_over(self, number: int, expected: int, outcome: Outcome[T]) -> None:
        """Put a result where the iterator finds it, and count its real size from now on."""
        with self.changed:
            self.bytes_ahead += outcome[0] - expected
            self.results[number] = outcome
            self.changed.notify_all()


def _stop(shared: _Shared[Any], threads: list[threading.Thread], process: int) -> None:
    if os.getpid() != process:
        return  # a fork has none of the threads, and maybe a lock that one of them held
    with shared.changed:
        shared.stopped = True
        shared.results.clear()
        shared.changed.notify_all()
    for thread in threads:
        if thread.is_alive() and thread is not threading.current_thread():
            thread.join()


class Prefetcher(Iterator[T]):
    """An iterator over the results of `work`, which threads call ahead of time.

    Args:
        jobs: what to do; advanced by one thread at a time.
        work: returns the size of the result in bytes, and the result.
        threads: the number of threads, at least 1.
        max_bytes: how much may be ahead, in work and in results.
    """

    def __init__(
        self,
        jobs: Iterator[Job],
        work: Callable[[Any], tuple[int, T]],
        *,
        threads: int,
        max_bytes: int,
    ) -> None:
        self._shared, self._number = _Shared(jobs, work, max_bytes), 0
        self._process = os.getpid()
        self._threads = [
            threading.Thread(target=self._shared.run, name=f"prefetch-{i}", daemon=True)
            for i in range(threads)
        ]
        self.close = weakref.finalize(self, _stop, self._shared, self._threads, self._process)
        for thread in self._threads:
            thread.start()

    def ready(self) -> int:
        """Return the number of results that wait to be handed out."""
        return len(self._shared.results)

    def __next__(self) -> T:
        if os.getpid() != self._process:
            raise RuntimeError("a fork has no threads that read ahead: begin a new iteration")
        shared = self._shared
        try:
            with shared.changed:
                while self._number not in shared.results:
                    if shared.stopped or self._number == shared.end:
                        raise StopIteration
                    shared.changed.wait()
                size, value, error = shared.results.pop(self._number)
                self._number += 1
                shared.bytes_ahead -= size
                shared.changed.notify_all()
            if error is not None:
                raise error
        except BaseException:  # the end, an error, or Ctrl-C while waiting
            error = None  # its traceback has this frame
            self.close()
            raise
        return value  # type: ignore[return-value]
