"""Epochs: which epoch each pass over a stream gives, agreed on by a process and its workers."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from multiprocessing.context import get_spawning_popen
from typing import Any, Literal

import numpy as np

from ffi_cookbook.bindings._glue.sharing import turn
from ffi_cookbook.data.order.job import is_worker
from ffi_cookbook.data.order.shared_memory import SharedArray

OF_WORKERS = -1  # a resumption whose states the workers have loaded, each its own

_OWNER = np.dtype(
    [(name, np.int64) for name in ("process", "epoch", "used", "loaded", "counted", "by_workers")]
)
_PASS = np.dtype(
    [(name, np.int64) for name in ("process", "tag", "epoch", "resumption", "finished")]
)
_OWNERS, _PASSES = 512, 64  # the processes that may inherit a stream, and the passes remembered
_MEMORY = np.dtype(
    [("owners", _OWNER, _OWNERS), ("passes", _PASS, _PASSES), ("n_passes", np.int64)]
)
_LEFT_OUT = -(2**40)  # the count of finished shares of a pass that no longer advances the epoch


class Epochs:
    """The epoch of a stream, in memory that a process shares with the workers of a DataLoader.

    All workers of a pass must read the same epoch, although each begins and finishes at another
    time, and may be ahead of the main process when that breaks a pass off. So the first worker of
    a pass, which has the same tag in all of them, decides; and the last one that finishes its share
    advances the epoch. A process that inherits the memory without being a worker, such as a rank,
    has an epoch of its own.
    """

    def __init__(self, epoch: int = 0, used: int = 0) -> None:
        array = np.zeros(_MEMORY.itemsize // 8, np.int64)
        array.view(_MEMORY)[0]["owners"][0] = (os.getpid(), epoch, used, 0, False, -1)
        self._shared = SharedArray(array)
        self._shared.share()

    def read(self, what: Literal["epoch", "used", "by_workers"]) -> int:
        """Return a number of this process.

        Args:
            what: "epoch" for the epoch of the next pass; "used" for the number of the loaded states
                after which a pass has continued, or 0; "by_workers" for the epoch that the workers
                of a DataLoader have read, or -1 if `set` or a pass of the main process came later.
        """
        with self._locked() as (_, owner):
            return int(owner[what])

    def count(self) -> bool:
        """Note that the main process knows the number of batches; in a worker, return whether."""
        with self._locked() as (_, owner):
            owner["counted"] |= not is_worker()
            return bool(owner["counted"])

    def set(self, epoch: int, loaded: int = 0) -> None:
        """Make the next pass that of an epoch, whatever others do, with the states of `loaded`."""
        with self._locked() as (memory, owner):
            owner["epoch"], owner["loaded"], owner["by_workers"] = epoch, loaded, -1
            passes = memory["passes"]
            passes["finished"][passes["process"] == owner["process"]] = _LEFT_OUT

    def begin(self, tag: int, resumption: int) -> tuple[int, bool]:
        """Return the epoch of a pass, and whether it continues after the states of `resumption`."""
        with self._locked() as (memory, owner):
            found = _find(memory, owner, tag)
            if found is None:
                if owner["loaded"] not in (0, owner["used"], resumption):
                    raise RuntimeError(
                        "load_state_dict must be called before the workers of a DataLoader start: "
                        "those that go on (persistent_workers=True) do not see the state"
                    )
                uses = resumption if owner["used"] != resumption else 0
                found = _add(memory, (owner["process"], tag, owner["epoch"], uses, 0))
                owner["used"] = uses or owner["used"]
                owner["by_workers"] = found["epoch"] if is_worker() else -1
            return int(found["epoch"]), bool(resumption and found["resumption"] == resumption)

    def load(self, tag: int, epoch: int) -> None:
        """Make a pass, of whose workers one has loaded a state, that of the state's epoch."""
        with self._locked() as (memory, owner):
            if _find(memory, owner, tag) is None:
                _add(memory, (owner["process"], tag, epoch, OF_WORKERS, 0))
                owner["epoch"], owner["used"], owner["loaded"] = epoch, OF_WORKERS, 0
                owner["by_workers"] = epoch

    def finish(self, tag: int, workers: int) -> None:
        """Note that one of the workers of a pass has made all its batches."""
        with self._locked() as (memory, owner):
            found = _find(memory, owner, tag)
            if found is None:
                return
            found["finished"] += 1
            if found["finished"] == workers and found["epoch"] == owner["epoch"]:
                owner["epoch"] += 1

    @contextmanager
    def _locked(self) -> Iterator[tuple[Any, Any]]:
        """Yield the memory, and the row in it of this process, or of the parent of a worker."""
        parent = multiprocessing.parent_process() if is_worker() else None
        process = os.getpid() if parent is None or parent.pid is None else parent.pid
        with turn.lock, self._shared.locked() as array:  # of threads, and of processes
            memory = array.view(_MEMORY)[0]
            owners = memory["owners"]
            at = np.flatnonzero((owners["process"] == process) | (owners["process"] == 0))
            number = int(at[0]) if len(at) else _OWNERS - 1
            if owners[number]["process"] != process:
                owners[number] = (process, *owners[0].tolist()[1:-2], False, -1)
            yield memory, owners[number]

    def __copy__(self) -> Epochs:
        return Epochs(self.read("epoch"), self.read("used"))

    def __getstate__(self) -> dict[str, Any]:
        own = self if get_spawning_popen() else copy(self)
        return {"_shared": own._shared}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._shared.share()


def _find(memory: Any, owner: Any, tag: int) -> Any:
    """Return the row of a pass of this owner, or None."""
    passes = memory["passes"]
    at = np.flatnonzero((passes["process"] == owner["process"]) & (passes["tag"] == tag))
    return passes[at[0]] if len(at) else None


def _add(memory: Any, row: tuple[Any, ...]) -> Any:
    """Write the row of another pass in place of the oldest one, and return it."""
    number = memory["n_passes"] % _PASSES
    memory["n_passes"] += 1
    memory["passes"][number] = row
    return memory["passes"][number]
