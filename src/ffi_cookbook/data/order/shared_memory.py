"""SharedArray: integers that a process shares with those it starts."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import get_spawning_popen
from multiprocessing.heap import BufferWrapper
from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array


class SharedArray:
    """An int64 array that is pickled by value, except on its way to a process that is spawned.

    Then it moves into memory that has no name and that both processes map: it is freed with the
    last of them. A forked process has a copy of its parent's pages. To see later changes,
    it needs an array that was shared before the fork: see `share`.
    """

    def __init__(self, array: Int64Array) -> None:
        self.array = array
        self._memory: Any = None

    def share(self) -> Any:
        """Move the array into shared memory, if it is not there yet, and return that."""
        if self._memory is None:
            memory = BufferWrapper(max(self.array.nbytes, 1))
            shared = _view(memory, self.array.shape)
            shared[...] = self.array
            self._memory, self.array = memory, shared
        return self._memory

    @contextmanager
    def locked(self) -> Iterator[Int64Array]:
        """Keep the other processes that lock this array out, and yield it.

        The lock is one of the file behind the memory, so that it ends with its process.
        """
        (arena, start, end), _ = self.share()._state
        fcntl.lockf(arena.fd, fcntl.LOCK_EX, end - start, start)
        try:
            yield self.array
        finally:
            fcntl.lockf(arena.fd, fcntl.LOCK_UN, end - start, start)

    def __getstate__(self) -> tuple[Any, tuple[int, ...]]:
        if get_spawning_popen() is None:
            return self.array, self.array.shape
        return self.share(), self.array.shape

    def __setstate__(self, state: tuple[Any, tuple[int, ...]]) -> None:
        memory, shape = state
        if isinstance(memory, np.ndarray):
            self.array, self._memory = memory, None
        else:
            self.array, self._memory = _view(memory, shape), memory


def _view(memory: Any, shape: tuple[int, ...]) -> Int64Array:
    return np.ndarray(shape, np.int64, memory.create_memoryview())
