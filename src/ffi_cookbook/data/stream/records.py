"""RecordStream: the records of some files as batches, once over all ranks and workers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.mixture import Mixture
from ffi_cookbook.data.order.plan import State, records_of
from ffi_cookbook.data.records.dataset import RecordDataset
from ffi_cookbook.data.stream.base import Stream
from ffi_cookbook.data.stream.batch import StreamBatch
from ffi_cookbook.data.stream.maker import Maker, read_records
from ffi_cookbook.records import Schema


class RecordStream(Stream):
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
        drop_last: give every share the same number of full batches, and leave out the rest. With
            `on_error` "skip", a batch still lacks the records that turn out to be bad.
        pad_last: give every share the same number of full batches by filling up the last ones with
            records that come again, for an evaluation on several ranks. The column "valid" is
            False for these.
        threads: the number of threads that read ahead. 0 reads when a batch is asked for.
        max_bytes: how much is read ahead, about. One batch is always read.
        rank, world: this process among those of the job. None takes those of torch.distributed or
            of torchrun's variables RANK and WORLD_SIZE.
        collate: called in the threads; what it makes of a StreamBatch is what the stream yields.
        options: `backend`, `verify`, `on_error` and `missing` for a RecordDataset of the paths.

    Attributes:
        metrics: how many records and bytes this process has received, and how long that took.
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
        pad_last: bool = False,
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
            self.dataset: RecordDataset = source.dataset if isinstance(source, Mixture) else source
            self._mixed = source.proportions if isinstance(source, Mixture) else None
        elif schema is None:
            raise TypeError("schema must be a Schema, unless source is a RecordDataset or Mixture")
        else:
            self.dataset = RecordDataset(source, schema, **options)
        if pad_last and "valid" in self.dataset.schema.names:
            raise ValueError("pad_last adds a column 'valid', which the schema has: use drop_last")
        self._collate = collate
        super().__init__(
            batch_size=batch_size,
            shuffle=shuffle,
            seed=seed,
            drop_last=drop_last,
            pad_last=pad_last,
            threads=threads,
            max_bytes=max_bytes,
            rank=rank,
            world=world,
        )

    def _maker(self) -> Maker:
        return Maker(partial(read_records, self.dataset), self._collate)

    def _sizes(self, numbers: Int64Array) -> Int64Array:
        return self.dataset.sizes(records_of(numbers))

    def _data(self) -> tuple[int, State]:
        data = self.dataset
        return len(data), {"data": data.checksum(), "files": data.files()}
