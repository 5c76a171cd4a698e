"""Stream: batches of a share of an epoch, made here or ahead by threads, in the order of a plan."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Generator, Iterator
from multiprocessing.context import get_spawning_popen
from operator import attrgetter
from typing import Any, NoReturn

from ffi_cookbook.bindings._glue.sharing import Shared
from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.checks import check_least
from ffi_cookbook.data.order.job import (
    is_worker,
    rank_and_world,
    register_as_iterable_dataset,
    worker_and_workers,
)
from ffi_cookbook.data.order.plan import EpochPlan, State
from ffi_cookbook.data.order.proportions import Proportions
from ffi_cookbook.data.order.resuming import Resumable
from ffi_cookbook.data.stream.maker import Made, Maker
from ffi_cookbook.data.stream.metrics import Metrics, clock
from ffi_cookbook.data.stream.prefetching import Job, Prefetcher

_SECONDS_AT_ONCE = 5e-3  # about how long a thread works before another may go on
_BYTES_AT_ONCE = 4 << 20  # more does not fit into the caches, less spends more time in Python


class Stream(Resumable):
    """An iterable of batches that follows an EpochPlan.

    Attributes:
        metrics: how many records and bytes this process has received, and how long that took.
    """

    _mixed: Proportions | None = None  # if the records are those of several sources

    def __init__(
        self,
        *,
        batch_size: int,
        shuffle: bool,
        seed: int,
        drop_last: bool,
        pad_last: bool,
        threads: int,
        max_bytes: int,
        rank: int | None,
        world: int | None,
    ) -> None:
        if (rank is None) != (world is None):
            raise TypeError("rank and world must be given together")
        self._batch_size = check_least("batch_size", batch_size, 1)
        self._threads = check_least("threads", threads, 0)
        self._max_bytes = check_least("max_bytes", max_bytes, 1)
        self._seed = check_least("seed", seed, 0)
        if drop_last and pad_last:
            raise ValueError("pad_last must be False if drop_last is True")
        self._shuffle, self._drop_last, self._rank = shuffle, drop_last, None
        self._pad = self._batch_size if pad_last else 0
        if rank is not None and world is not None:
            self._rank = check_least("rank", rank, 0), check_least("world", world, 1)
        self.metrics = Metrics()
        super().__init__()
        self._plan()  # raises what is wrong with the other arguments
        register_as_iterable_dataset(type(self))

    @abstractmethod
    def _maker(self) -> Maker:
        """Return what makes the batches of an iteration."""

    @abstractmethod
    def _data(self) -> tuple[int, State]:
        """Return the number of records, and entries of a state that tell them from other data."""

    @abstractmethod
    def _sizes(self, numbers: Int64Array) -> Int64Array:
        """Return about how many bytes each of these records takes."""

    def _new_plan(self, epoch: int, share: dict[str, Any]) -> EpochPlan:
        (n, about), order = self._data(), None
        if self._mixed:
            n, order = len(self._mixed), self._mixed.order(self._seed, epoch, self._shuffle)
            about |= self._mixed.about()
        options: dict[str, Any] = {"order": order, "about": about, "pad": self._pad, **share}
        return EpochPlan(n, seed=self._seed, epoch=epoch, shuffle=self._shuffle, **options)

    @property
    def n_batches(self) -> int:
        """The number of batches of the next iteration, from where it begins; see `len`."""
        return self._plan().batches_left(self._batch_size, self._drop_last)

    def __len__(self) -> int:
        """Return the number of batches of a whole epoch of this rank, which never changes."""
        if not is_worker():
            self._epochs.count()
        return self._n_batches(0, 1)

    def _n_batches(self, worker: int, workers: int) -> int:
        rank, world = self._rank or rank_and_world()
        share = {"rank": rank, "world": world, "worker": worker, "workers": workers}
        return self._new_plan(self.epoch, share).batches_left(self._batch_size, self._drop_last)

    def _warn_of_other_length(self) -> None:
        """Warn in the first worker if all of them do not make as many batches as `len` said."""
        worker, workers = worker_and_workers()
        if worker or not is_worker() or not self._epochs.count():
            return
        expected = self._n_batches(0, 1)
        found = sum(self._n_batches(number, workers) for number in range(workers))
        if found != expected:
            more = f"leaves out the last {found - expected}"
            message = (
                f"{workers} workers make {found} batches an epoch, since each ends with a rest of "
                f"its own, but len() is {expected}: a framework that counts "
                f"{more if found > expected else 'does not see the end of an epoch'}. "
                "Use num_workers=0 and the stream's threads"
            )
            warnings.warn(message, UserWarning, stacklevel=4)

    def __getitem__(self, number: int) -> NoReturn:
        name = type(self).__name__
        raise TypeError(
            f"a {name} has no batches by number. A DataLoader asks for them if torch was imported "
            f"after the {name} was made: import torch first"
        )

    def __iter__(self) -> Iterator[Any]:
        return Shared(self._batches())

    def _batches(self) -> Generator[Any, None, None]:
        plan, position = self._begin()
        self._warn(plan, position.state)
        left = plan.batches_left(self._batch_size, self._drop_last)
        if not left:
            self._finish(position)
        self._warn_of_other_length()
        maker, count = self._maker(), self.metrics
        todo = self._jobs(plan, maker)
        made: Prefetcher[Made] | Generator[Made, None, None]
        if self._threads:
            options = {"threads": self._threads, "max_bytes": self._max_bytes}
            made = Prefetcher(todo, maker.make, attrgetter("bytes"), **options)
        else:
            made = (one for job in todo for one in maker.make(job.argument))
        before = asked = clock()
        try:
            for one in made:
                now = clock()
                count.add(one, now - before, now - asked)
                before, position.state, left = now, one.state, left - 1
                if not left:  # a loop that counts may not ask for the end
                    self._finish(position)
                yield one.value
                asked = clock()
        finally:
            self._leave(position)
            made.close()

    def _warn(self, plan: EpochPlan, state: State) -> None:
        """Warn of an epoch without a batch, or once more, and of ranks with unequal numbers."""
        size, words, epoch = self._batch_size, "", state["epoch"]
        if worker_and_workers()[0]:
            return
        if not state["n"]:
            words = f"the stream has no records; it reads {state['files']}"
        elif self._drop_last:
            if not self._n_batches(*worker_and_workers()):
                words = f"drop_last leaves no batch: no share of the epoch has {size} records"
        else:
            most, fewest = plan.batches_of_ranks(size)
            if most != fewest:
                words = (
                    f"the first rank has {most} batches left and the last has {fewest}: ranks that "
                    "wait for each other would hang; drop_last or pad_last gives them the same"
                )
        if self._shuffle and epoch == self._left and not is_worker():
            words = (
                f"the pass before broke off epoch {epoch}, and this one has its order again: call "
                "set_epoch before each pass, also where a framework limits the batches"
            )
        if words:
            warnings.warn(words, UserWarning, stacklevel=4)

    def _jobs(self, plan: EpochPlan, maker: Maker) -> Iterator[Job]:
        """Yield what is read at once: a batch, or several small ones."""
        share = max(self._threads, 1) * 2
        left = plan.batches_left(self._batch_size, self._drop_last)
        limit = min(self._max_bytes // (2 * share), _BYTES_AT_ONCE)
        parts = plan.batches(self._batch_size, left)
        for part in parts:
            some, n_bytes = [part], int(self._sizes(part[0]).sum())
            most = int(min(_SECONDS_AT_ONCE / max(maker.pace, 1e-6), left // share))
            while len(some) < most and n_bytes < limit and (another := next(parts, None)):
                some.append(another)
                n_bytes += int(self._sizes(another[0]).sum())
            yield Job(n_bytes, some)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if self._rank is not None or get_spawning_popen() is None:
            return state
        # A worker that is spawned is not part of torch.distributed: the rank of its parent holds.
        # A parent of which nothing is known may be starting the ranks, which know theirs.
        rank, world = rank_and_world()
        return {**state, "_rank": (rank, world) if world > 1 else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        register_as_iterable_dataset(type(self))
