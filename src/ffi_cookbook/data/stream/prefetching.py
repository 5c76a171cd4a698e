"""Prefetcher: threads that do a sequence of jobs ahead, and hand out their items in order.

    jobs  --take, in order-->  threads  --outcomes, as they are done-->  next()
                                  ^                                        |
                                  +-----------  bytes that are free  <-----+

A thread takes the next job when its size fits under the bound, or when nothing at all is ahead, so
that one huge job cannot block the rest.

The iterator holds no lock, only queues written in C: Ctrl-C between two lines of Python, such as
those of threading.Condition, would leave a lock acquired for ever.
"""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

_SECONDS_TO_END = 5  # a job of the caller may never end
_SECONDS_AFTER_CTRL_C = 0.5  # for a thread in native code, which should not see the process end

T = TypeVar("T")
Outcome: TypeAlias = tuple[int, list[T], BaseException | None]
"""The size of the items of a job, the items, and what was raised after them."""


class Job(NamedTuple):
    """A job, and its expected size in bytes."""

    size: int
    argument: Any


class _Shared(Generic[T]):
    """The state that the threads and the iterator share.

    It has no reference to the iterator, which may therefore be freed while threads run.
    """

    def __init__(
        self,
        jobs: Iterator[Job],
        work: Callable[[Any], Iterable[T]],
        size_of: Callable[[T], int],
        max_bytes: int,
    ) -> None:
        self.jobs, self.work, self.size_of, self.max_bytes = jobs, work, size_of, max_bytes
        self.turn = threading.Lock()  # held by the thread that takes the next job
        self.freed: SimpleQueue[int] = SimpleQueue()  # bytes that no longer count as read ahead
        self.outcomes: SimpleQueue[tuple[int, Outcome[T] | None]] = SimpleQueue()  # None: the end
        self.n_taken = self.bytes_ahead = 0
        self.ended = self.stopped = self.interrupted = False

    def take(self) -> tuple[int, Job] | None:
        """Return the next job and its number, or None when there is none."""
        with self.turn:
            job = self.next_job()
            while job:
                while not self.freed.empty():
                    self.bytes_ahead -= self.freed.get()
                if self.stopped:  # checked here, since the loop may have taken what _stop has put
                    return None
                if not self.bytes_ahead or self.bytes_ahead + job.size <= self.max_bytes:
                    self.bytes_ahead += job.size
                    self.n_taken += 1
                    return self.n_taken - 1, job
                self.bytes_ahead -= self.freed.get()
            return None

    def next_job(self) -> Job | None:
        """Return the next job, or None at the end; an exception becomes the last outcome."""
        if self.ended or self.stopped:
            return None
        try:
            job = next(self.jobs, None)
        except BaseException as error:
            self.outcomes.put((self.n_taken, (0, [], error)))
            self.n_taken, job = self.n_taken + 1, None
        if job is None:
            self.ended = True
            self.outcomes.put((self.n_taken, None))
        return job

    def run(self) -> None:
        """Do jobs until there is none: the body of each thread."""
        while taken := self.take():
            number, job = taken
            outcome = self.outcome(job)
            self.freed.put(job.size - outcome[0])  # its real size counts from now on
            self.outcomes.put((number, outcome))

    def outcome(self, job: Job) -> Outcome[T]:
        """Do a job."""
        items, error = list[T](), None
        try:
            items.extend(self.work(job.argument))
        except BaseException as raised:
            error = raised
        return sum(map(self.size_of, items)), items, error


def _start(thread: threading.Thread) -> None:
    try:
        thread.start()
    except RuntimeError as error:  # Ctrl-C within it left a lock that `with` releases once more
        if isinstance(error.__context__, KeyboardInterrupt):
            raise error.__context__ from None
        raise


def _stop(shared: _Shared[Any], threads: list[threading.Thread], process: int) -> None:
    if os.getpid() != process:
        return  # a fork has none of the threads
    shared.stopped = True
    shared.freed.put(0)
    shared.outcomes.put((-1, None))
    if threading.current_thread() in threads:
        return  # the garbage collector runs here, perhaps while the others wait for this thread
    latest = monotonic() + (_SECONDS_AFTER_CTRL_C if shared.interrupted else _SECONDS_TO_END)
    for thread in threads:
        if thread.is_alive():
            thread.join(max(latest - monotonic(), 0))
    if not shared.interrupted and any(thread.is_alive() for thread in threads):
        message = f"a thread that reads ahead has not ended within {_SECONDS_TO_END} s"
        warnings.warn(message, RuntimeWarning, stacklevel=2)


class Prefetcher(Iterator[T]):
    """An iterator over the items of `work`, which threads call ahead of time.

    Args:
        jobs: what to do; advanced by one thread at a time.
        work: returns the items of a job.
        size_of: returns the size of an item in bytes.
        threads: the number of threads, at least 1.
        max_bytes: how much may be ahead, in work and in items.
    """

    def __init__(
        self,
        jobs: Iterator[Job],
        work: Callable[[Any], Iterable[T]],
        size_of: Callable[[T], int],
        *,
        threads: int,
        max_bytes: int,
    ) -> None:
        self._shared, self._number = _Shared(jobs, work, size_of, max_bytes), 0
        self._items = deque[T]()  # of the latest outcome
        self._error: BaseException | None = None  # which comes after them
        self._process, self._early = os.getpid(), dict[int, Outcome[T] | None]()
        self._threads = [
            threading.Thread(target=self._shared.run, name=f"prefetch-{i}", daemon=True)
            for i in range(threads)
        ]
        self.close = weakref.finalize(self, _stop, self._shared, self._threads, self._process)
        for thread in self._threads:
            _start(thread)

    def __next__(self) -> T:
        if os.getpid() != self._process:
            raise RuntimeError("a fork has no threads that read ahead: begin a new iteration")
        shared, early, error = self._shared, self._early, None
        try:
            while shared.stopped or not self._items:
                if (error := self._error) is not None:
                    raise error
                while self._number not in early and not shared.stopped:
                    number, outcome = shared.outcomes.get()
                    early[number] = outcome
                if shared.stopped or (outcome := early.pop(self._number)) is None:
                    raise StopIteration
                size, items, self._error = outcome
                self._items.extend(items)
                self._number += 1
                shared.freed.put(size)
            return self._items.popleft()
        except BaseException as raised:  # the end, an error, or Ctrl-C while waiting
            shared.interrupted = isinstance(raised, KeyboardInterrupt)
            self._error = error = outcome = None  # its traceback has this frame
            self._items.clear()
            early.clear()
            self.close()
            raise
