"""RecordStream: the records of some files as batches, once over all ranks and workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bindings.data.batch import StreamBatch
from bindings.data.dataset import RecordDataset
from bindings.data.job import rank_and_world, register_as_iterable_dataset, share_of_job
from bindings.data.plan import EpochPlan, State
from bindings.data.prefetching import Job, Prefetcher
from bindings.data.resuming import Resumable, check_least
from bindings.protocol import Int64Array
from bindings.records import Schema


class RecordStream(Resumable):
    """Batches of records, each record once an epoch over all ranks and workers.

        stream = RecordStream("train-*.tfrecord", schema, batch_size=256, shuffle=True)
        for epoch in range(10):
            stream.set_epoch(epoch)
            for batch in stream: ...

    Where torch was imported before, it is an IterableDataset: `DataLoader(stream, batch_size=None,
    num_workers=2)`. Worker processes are not needed for speed: the threads decode without the GIL.

    Args:
        source: a RecordDataset, or paths as it takes them.
        schema: the features to decode; None for those of the RecordDataset.
        batch_size: records a batch; the last one of a share may be smaller.
        shuffle, seed: whether the order is random, and which one it is.
        drop_last: give every share the same number of full batches, and leave out the rest.
        threads: how many read ahead. 0 reads when a batch is asked for.
        max_bytes: how much is read ahead, about. One batch is always read.
        rank, world: this process among those of the job. None takes those of torch.distributed or
            of torchrun's variables RANK and WORLD_SIZE.
        collate: called in the threads; what it makes of a StreamBatch is what the stream yields.
        options: `backend`, `verify` and `on_error` for a RecordDataset of the paths.
    """

    def __init__(
        self,
        source: Any,
        schema: Schema | None = None,
        *,
        batch_size: int = 256,
        shuffle: bool = False,
        seed: int = 0,
        drop_last: bool = False,
        threads: int = 1,
        max_bytes: int = 64 << 20,
        rank: int | None = None,
        world: int | None = None,
        collate: Callable[[StreamBatch], Any] | None = None,
        **options: Any,
    ) -> None:
        if isinstance(source, RecordDataset):
            if schema is not None or options:
                raise TypeError("source is a RecordDataset, which has a schema and options already")
            self.dataset = source
        elif schema is None:
            raise TypeError("schema must be a Schema, unless source is a RecordDataset")
        else:
            self.dataset = RecordDataset(source, schema, **options)
        if (rank is None) != (world is None):
            raise TypeError("rank and world must be given together")
        check_least("batch_size", batch_size, 1)
        check_least("threads", threads, 0)
        check_least("max_bytes", max_bytes, 1)
        self._batch_size, self._threads, self._max_bytes = batch_size, threads, max_bytes
        self._shuffle, self._seed, self._drop_last = shuffle, seed, drop_last
        self._rank = None if rank is None or world is None else (rank, world)
        self._collate = collate
        super().__init__()
        self._plan()  # raises what is wrong with the other arguments
        register_as_iterable_dataset(type(self))

    def __iter__(self) -> Iterator[Any]:
        plan = self._plan()
        self._resume, self._state = None, plan.state_dict()
        jobs = self._jobs(plan)
        if not self._threads:
            for job in jobs:
                _, (self._state, value) = self._do(job.argument)
                yield value
            return
        limits = {"threads": self._threads, "max_bytes": self._max_bytes}
        ahead = Prefetcher(jobs, self._do, **limits)
        try:
            for self._state, value in ahead:
                yield value
        finally:
            ahead.close()

    def _new_plan(self) -> EpochPlan:
        order: Any = {"seed": self._seed, "epoch": self.epoch, "shuffle": self._shuffle}
        return EpochPlan(len(self.dataset), **order, **share_of_job(self._rank))

    def _jobs(self, plan: EpochPlan) -> Iterator[Job]:
        size = self._batch_size
        for _ in range(plan.even // size if self._drop_last else -(-len(plan) // size)):
            numbers = plan.draw(size)
            state = plan.state_dict()
            yield Job(int(self.dataset.sizes(numbers).sum()), (numbers, state))

    def _do(self, argument: tuple[Int64Array, State]) -> tuple[int, tuple[State, Any]]:
        """Return the size and the value of a batch, which a thread makes."""
        numbers, state = argument
        batch = StreamBatch(self.dataset.__getitems__(numbers), state)
        return batch.nbytes, (state, self._collate(batch) if self._collate else batch)

    def __getstate__(self) -> dict[str, Any]:
        # A spawned process is not part of torch.distributed: the rank of its parent holds.
        return {**vars(self), "_rank": self._rank or rank_and_world()}
