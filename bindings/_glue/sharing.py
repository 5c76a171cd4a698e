"""What threads may share: a lock that outlives forks, and iterators."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_GIL = getattr(sys, "_is_gil_enabled", lambda: True)()


class Turn:
    """A decorator of functions: one thread at a time runs them. A forked process has a new lock."""

    def __init__(self) -> None:
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self.lock = threading.RLock()  # the garbage collector may run within it

    def __call__(self, function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def run(*arguments: P.args, **options: P.kwargs) -> T:
            with self.lock:
                return function(*arguments, **options)

        return run


turn = Turn()


class Shared(Iterator[T]):
    """What a generator yields, each item for one of the threads, which it would refuse itself."""

    def __init__(self, generator: Generator[T, None, None]) -> None:
        self._generator = generator
        self._turn = threading.RLock()  # asking within a step fails, and does not hang

    def __next__(self) -> T:
        with self._turn:
            return next(self._generator)

    def close(self) -> None:
        """End the iteration and close its files."""
        with self._turn:
            self._generator.close()


def shared_without_gil(function: Callable[P, Any]) -> Callable[P, Iterator[Any]]:
    """Decorate a generator function: without the GIL, threads may share what it returns."""

    def make(*arguments: P.args, **options: P.kwargs) -> Iterator[Any]:
        return Shared(function(*arguments, **options))

    return function if _GIL else make


def in_turn_without_gil(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function as `turn` does; with the GIL, lines that call nothing need no lock."""
    return function if _GIL else turn(function)
