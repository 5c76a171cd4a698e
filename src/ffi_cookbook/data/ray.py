"""TFRecord files and texts in Ray Data: a data source, and a step that encodes.

    data = read_tfrecords("s3://bucket/train-*.tfrecord", schema)
    data = data.map_batches(
        Encode,
        fn_constructor_args=(model, "text"),
        batch_format="pyarrow",
        concurrency=4,
    )

Every task reads its own part of a file, so Ray can run a task again on another node.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]
import ray.data  # type: ignore[import-not-found, import-untyped, unused-ignore]
from ray.data.block import BlockMetadata  # type: ignore[import-not-found, unused-ignore]
from ray.data.datasource import (  # type: ignore[import-not-found, unused-ignore]
    Datasource,
    ReadTask,
)
from ray.data.extensions import ArrowTensorArray  # type: ignore[import-not-found, unused-ignore]

from ffi_cookbook.backends import open_backend
from ffi_cookbook.data.order.checks import path_of
from ffi_cookbook.data.records.file_spans import FileSpan, size_of, spans
from ffi_cookbook.records import Batch, Schema, read
from ffi_cookbook.records.reading.sources import Sources, find
from ffi_cookbook.records.recovery.recovery import OnError
from ffi_cookbook.tokenizer import Model, tokenizer_of

_LEAST, _MOST = 1 << 20, 64 << 20  # bytes of a part, if no size is given
_BATCH = 8 << 20  # bytes of a file that are decoded at a time, about


def read_tfrecords(
    paths: Sources,
    schema: Schema,
    *,
    span_bytes: int | None = None,
    backend: str | None = None,
    verify: bool = True,
    on_error: OnError = "raise",
    **ray_options: Any,
) -> Any:
    """Return a ray.data.Dataset of the records of some TFRecord files.

    A dense column is one of Ray's tensors, so that a batch in NumPy's format has one array of it.
    Blocks come as they are ready, unless Ray's `execution_options.preserve_order` is set.
    `select_columns` and `limit` are carried out by the reading tasks, which decode no other columns
    or records.

    Args:
        paths: as for `spans`; they must be valid on every node.
        schema: the features to decode.
        span_bytes: the bytes of the part of a file that a task reads and makes a block of. None:
            64 MB, or less where the cluster would have fewer than two tasks for each processor.
        backend: a binding's name; None takes the fastest one that a node has.
        verify: whether to check both CRCs of every record.
        on_error: what to do about a bad record, as for `records.read`.
        ray_options: those of `ray.data.read_datasource`, such as `concurrency`. With fewer
            `override_num_blocks` than parts a task reads several that follow each other.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        ValueError: no record has some feature. With more than 1000 records this is a warning.
        RecordError: the first records are bad. Those that a task reads are Ray's to report.
    """
    options = {"backend": backend, "verify": verify, "on_error": on_error}
    found = find(paths).sources
    if span_bytes is None:
        span_bytes = _span_bytes([size_of(path_of(source)) for source in found])
    parts = spans(found, span_bytes=span_bytes, on_error=on_error)
    ray_options.setdefault("override_num_blocks", max(len(parts), 1))  # Ray's default is 200
    return ray.data.read_datasource(TFRecordDatasource(parts, schema, options), **ray_options)


def _span_bytes(sizes: list[int]) -> int:
    """Return the size of the parts of some files, for the processors of the cluster."""
    if not ray.is_initialized():
        ray.init()
    found = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
    tasks = max(2 * int(found.get("CPU", 1)), 1)
    return min(max(sum(sizes) // tasks, _LEAST), _MOST)


class TFRecordDatasource(Datasource):  # type: ignore[misc, unused-ignore]
    """The records of some parts of files, for `ray.data.read_datasource`.

    Args:
        parts: what `spans` returned.
        schema: the features to decode.
        options: those of `FileSpan.read`.
    """

    def __init__(self, parts: list[FileSpan], schema: Schema, options: dict[str, Any]) -> None:
        super().__init__()  # type: ignore[no-untyped-call, unused-ignore]
        self._parts, self._schema, self._options = parts, schema, options
        self._projection_map: dict[str, str] | None = None
        self._first = _first(parts, schema, options)

    def get_name(self) -> str:
        """Return the name that Ray shows."""
        return "TFRecords"

    def supports_projection_pushdown(self) -> bool:
        """Return True: only the columns that are wanted are decoded."""
        return True

    def estimate_inmemory_data_size(self) -> int | None:
        """Return about how many bytes the columns of all records take."""
        total = sum(part.size for part in self._parts)
        return total if self._first is None else int(total * self._first[1])

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: object = None
    ) -> list[ReadTask]:
        """Return tasks which read the parts in order, about `parallelism` of them."""
        wanted = self._get_data_columns()
        schema = self._schema if wanted is None else self._schema.only(wanted)
        groups = np.array_split(np.arange(len(self._parts)), max(parallelism, 1))
        tasks = []
        for group in (group for group in groups if len(group)):
            parts = [self._parts[number] for number in group]
            work = functools.partial(_blocks, parts, schema, self._options)
            counts = [part.records for part in parts]
            rows = None if None in counts else sum(filter(None, counts))
            size = sum(part.size for part in parts)
            metadata = BlockMetadata(rows, size, None, input_files=tuple(p.path for p in parts))
            arrow = self._first and pa.schema([self._first[0].field(n) for n in schema.names])
            tasks.append(ReadTask(work, metadata, arrow, per_task_row_limit))
        return tasks


def _first(
    parts: list[FileSpan], schema: Schema, options: dict[str, Any]
) -> tuple[Any, float] | None:
    """Return the Arrow schema of the first records, and bytes of columns per byte of a file."""
    paths = list(dict.fromkeys(part.path for part in parts))
    found, seen = None, 0
    for batch in read(paths, schema, **{**options, "batch_size": 1000}):
        if found is None:
            table = _table(batch)
            found = table.schema, table.nbytes / batch.end.byte_offset
        seen += len(batch)
        if seen >= 1000:  # in that case `read` has warned of a feature that they lack
            break
    return found


def _blocks(parts: list[FileSpan], schema: Schema, options: dict[str, Any]) -> Iterator[pa.Table]:
    for part in parts:
        rows = part.records and max(part.records * _BATCH // part.size, 1)
        for batch in part.read(schema, **{"batch_size": rows, **options}):
            yield _table(batch)


def _table(batch: Batch) -> pa.Table:
    """Return the columns on the same memory, the dense ones as Ray's tensors."""
    table = pa.Table.from_batches([batch.to_arrow()])
    for number, (name, column) in enumerate(batch.items()):
        if isinstance(column, np.ndarray) and column.ndim > 1:
            table = table.set_column(number, name, ArrowTensorArray.from_numpy(column))
    return table


class Encode:
    """Token ids of a column of text, as a step of `map_batches` with `batch_format="pyarrow"`.

    Ray makes one in each of its actors, and it opens the model once.

    Args:
        model: the tokenizer's model.
        column: the column with the text, of strings or of UTF-8.
        into: the column of ids that is added, a list of uint32 for each row.
        backend: a binding's name; None takes the fastest one that the node has.
        threads: the number of threads that encode.
    """

    def __init__(
        self,
        model: Model,
        column: str = "text",
        into: str = "ids",
        backend: str | None = None,
        threads: int = 1,
    ) -> None:
        self._tokenizer = tokenizer_of(open_backend(backend), model)
        self._column, self._into, self._threads = column, into, threads

    def __call__(self, table: pa.Table) -> pa.Table:
        """Return the table with the column of ids added."""
        texts = table.column(self._column).to_pylist()
        ids, offsets = self._tokenizer.encode_batch(texts, self._threads, disallowed_special=())
        column = pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(ids))
        return table.append_column(self._into, column)
