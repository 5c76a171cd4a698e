"""RecordStream: the records of some files as batches, once over all ranks and workers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any

from bindings.data.batch import StreamBatch
from bindings.data.buckets import BucketPlan
from bindings.data.checks import check_least
from bindings.data.dataset import RecordDataset
from bindings.data.job import rank_and_world, register_as_iterable_dataset, share_of_job
from bindings.data.making import Made, Maker, jobs
from bindings.data.metrics import Metrics, clock
from bindings.data.mixture import Mixture
from bindings.data.plan import EpochPlan
from bindings.data.prefetching import Job, Prefetcher
from bindings.data.resuming import Resumable
from bindings.records import Schema

_RECORDS_AT_ONCE = 1024
_MAPPED_AT_ONCE = 4  # batches that one thread collates before another may hand out the next


class RecordStream(Resumable):
    """Batches of records, each record once an epoch over all ranks and workers.

        stream = RecordStream("train-*.tfrecord", schema, batch_size=256, shuffle=True)
        for epoch in range(10):
            stream.set_epoch(epoch)
            for batch in stream: ...

    Where torch was imported before, it is an IterableDataset: `DataLoader(stream, batch_size=None,
    num_workers=2)`. Worker processes are not needed for speed: the threads decode without the GIL.

    Args:
        source: a RecordDataset, a Mixture, or paths as a RecordDataset takes them.
        schema: the features to decode; None for those of the source.
        batch_size: records a batch; the last one of a share may be smaller.
        shuffle, seed: whether the order is random, and which one it is.
        drop_last: give every share the same number of full batches, and leave out the rest.
        bucket_batches: the number of batches that are formed together. From 2 on, their records
            are sorted by size first, so that a batch has records of similar length.
        threads: how many read ahead. 0 reads when a batch is asked for.
        max_bytes: how much is read ahead, about. One batch is always read.
        rank, world: this process among those of the job. None takes those of torch.distributed or
            of torchrun's variables RANK and WORLD_SIZE.
        collate: called in the threads; what it makes of a StreamBatch is what the stream yields.
        options: `backend`, `verify` and `on_error` for a RecordDataset of the paths.

    Attributes:
        metrics: what has been handed out in this process, and how long that took.
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
        bucket_batches: int = 1,
        threads: int = 1,
        max_bytes: int = 64 << 20,
        rank: int | None = None,
        world: int | None = None,
        collate: Callable[[StreamBatch], Any] | None = None,
        **options: Any,
    ) -> None:
        if isinstance(source, RecordDataset | Mixture):
            if schema is not None or options:
                kind = type(source).__name__
                raise TypeError(f"source is a {kind}, which has a schema and options already")
            self._source: RecordDataset | Mixture = source
        elif schema is None:
            raise TypeError("schema must be a Schema, unless source is a RecordDataset or Mixture")
        else:
            self._source = RecordDataset(source, schema, **options)
        of = self._source
        self.dataset: RecordDataset = of.dataset if isinstance(of, Mixture) else of
        if (rank is None) != (world is None):
            raise TypeError("rank and world must be given together")
        check_least("batch_size", batch_size, 1)
        check_least("threads", threads, 0)
        check_least("max_bytes", max_bytes, 1)
        self._together = check_least("bucket_batches", bucket_batches, 1)
        self._batch_size, self._threads, self._max_bytes = batch_size, threads, max_bytes
        self._shuffle, self._seed, self._drop_last = shuffle, seed, drop_last
        self._rank = None if rank is None or world is None else (rank, world)
        self._collate, self.metrics = collate, Metrics()
        super().__init__()
        self._plan()  # raises what is wrong with the other arguments
        register_as_iterable_dataset(type(self))

    def __iter__(self) -> Iterator[Any]:
        plan = self._plan()
        self._resume, self._state = None, plan.state_dict()
        todo, maker, count = self._jobs(plan), Maker(self.dataset, self._collate), self.metrics
        made = self._ahead(todo, maker) if self._threads else self._here(todo, maker)
        before = asked = clock()
        try:
            for one in made:
                now = clock()
                count.elapsed += now - before
                count.waited += now - asked
                before, self._state = now, one.state
                count.add(one)
                yield one.value
                asked = clock()
        finally:
            made.close()

    def _here(self, todo: Iterator[Job], maker: Maker) -> Generator[Made, None, None]:
        """Yield the batches, made when they are asked for."""
        for job in todo:
            yield from maker.one_by_one(job.argument)

    def _ahead(self, todo: Iterator[Job], maker: Maker) -> Generator[Made, None, None]:
        """Yield the batches, made ahead by threads."""
        limits = {"threads": self._threads, "max_bytes": self._max_bytes}
        ahead = Prefetcher(todo, maker.all_at_once, **limits)
        error: BaseException | None = None
        try:
            for made, error in ahead:
                self.metrics.ready = ahead.ready()
                yield from made
                if error is not None:
                    raise error
        finally:
            error = None  # its traceback has this frame
            ahead.close()

    def _new_plan(self) -> EpochPlan:
        how: Any = {"seed": self._seed, "epoch": self.epoch, "shuffle": self._shuffle}
        n, share = len(self._source), share_of_job(self._rank)
        if isinstance(self._source, Mixture):
            share |= {"order": self._source.order(**how), "about": self._source.about()}
        if self._together == 1:
            return EpochPlan(n, **how, **share)
        batches = {"batch_size": self._batch_size, "together": self._together}
        options = {**how, **share, **batches, "drop_last": self._drop_last}
        return BucketPlan(n, self.dataset.sizes, **options)

    def _jobs(self, plan: EpochPlan) -> Iterator[Job]:
        """Yield what is read at once: a batch, or several small ones."""
        share = max(self._threads, 1) * 2
        left = plan.batches_left(self._batch_size, self._drop_last)
        most = min(_RECORDS_AT_ONCE // self._batch_size, _MAPPED_AT_ONCE if self._collate else left)
        most, limit = max(min(most, left // share), 1), self._max_bytes // (2 * share)
        return jobs(plan.batches(self._batch_size, left), self.dataset.sizes, most, limit)

    def __getstate__(self) -> dict[str, Any]:
        # A spawned process is not part of torch.distributed: the rank of its parent holds.
        return {**vars(self), "_rank": self._rank or rank_and_world()}
