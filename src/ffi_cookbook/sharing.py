"""Iterators that threads may share."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from typing import TypeVar

T = TypeVar("T")


class Shared(Iterator[T]):
    """What a generator yields, each item for one of the threads that ask.

    Threads that share the generator itself get "generator already executing"; without the GIL,
    CPython 3.14 may crash.
    """

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
