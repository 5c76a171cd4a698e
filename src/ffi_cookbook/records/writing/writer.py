"""Writing TFRecord files."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from ffi_cookbook.bindings.protocol import Buffer
from ffi_cookbook.files import Written
from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.writing.encoding import example, rows
from ffi_cookbook.records.writing.targets import Target, WriteCompression, open_target
from ffi_cookbook.records.writing.values import refuse_mask
from ffi_cookbook.wire import FRAMING, frame_parts, frame_records

Record: TypeAlias = Buffer | Mapping[str, Any]
"""The bytes of a buffer, a protobuf message, or a mapping that becomes a tf.train.Example."""

_TOGETHER = 1 << 18  # bytes of small records that are framed and written at once
_LARGE = 1 << 14  # a record of at least this size is written on its own, without a copy
_CLOSED = 1 << 62  # more than `_TOGETHER`, so that a closed writer needs no check of its own


class Writer(Written):
    """A TFRecord file being written; use it in a `with` statement.

        with Writer("train.tfrecord.gz", compression="gzip") as writer:
            writer.write({"label": 3, "pixels": pixels})

    The file appears under its name, complete, when the block ends; an exception within the block
    removes it, and leaves an earlier file of that name as it was. Threads may share a writer.

    Args:
        target: a path, or a binary file object, which is not closed.
        compression: "gzip", "zlib" or None.
        level: of the compression, 0 (none) to 9 (best); None for zlib's default.

    Raises:
        ValueError: `compression` or `level` is none of these, or `target` is a URL.
        OSError: the file cannot be made or written to, with its name.
    """

    def __init__(
        self,
        target: Target,
        *,
        compression: WriteCompression = None,
        level: int | None = None,
    ) -> None:
        self._records: list[bytes] = []  # not yet written: `_size` bytes with their frames
        self._size = 0
        self._lock = threading.RLock()  # re-entered by a signal handler that writes
        self._sink = open_target(target, compression, level)

    def close(self) -> None:
        """Complete the file and give it its name; do nothing if that has been done."""
        with self._lock:
            if self._size >= _CLOSED:
                return
            try:
                self._write_out()
                self._sink.close()
            finally:
                self.discard()

    def discard(self) -> None:
        """Close the writer, and remove what has been written unless it is published already.

        A file object is left as it is.
        """
        with self._lock:
            self._size = _CLOSED
            self._records.clear()
            self._sink.discard()

    def write(self, record: Record) -> None:
        """Append a record.

        The bytes of a buffer are written as they are, a protobuf message is serialised, and a
        mapping becomes a tf.train.Example.
        """
        if type(record) is bytes:
            if (size := len(record)) >= _LARGE:
                self._append((record,), size)
                return
            with self._lock:
                self._records.append(record)
                self._size = size = self._size + size + FRAMING
                if size >= _TOGETHER:
                    self._write_out()
        elif type(record) is not dict and isinstance(record, Batch):
            raise TypeError("record must not be a Batch, which write_columns takes")
        elif type(record) is dict or isinstance(record, Mapping):
            self._append(*example(record))
        else:
            if hasattr(record, "SerializeToString"):
                record = record.SerializeToString()
            refuse_mask("record", record)
            data = bytes(memoryview(record))
            self._append((data,), len(data))

    def write_columns(self, columns: Mapping[str, Any] | Batch) -> None:
        """Append a tf.train.Example for each row of some columns.

        The columns are arrays whose first axis is the records, `Ragged`, `RaggedBytes` or lists; or
        a batch that has been read. A batch with feature lists becomes SequenceExamples.

        Raises:
            ValueError: the columns have different lengths.
            TypeError: a column of a batch has spans, which are places and not values.
        """
        if isinstance(columns, Batch):
            for field in columns.schema.fields + columns.schema.sequence:
                if field.kind == "span":
                    raise TypeError(f"feature {field.name!r}: spans cannot be written")
            columns = {name: columns[name] for name in columns.schema.names}
        for parts, size in rows(dict(columns.items())):
            self._append(parts, size)

    def _append(self, parts: Sequence[bytes], size: int) -> None:
        """Append a serialised record of `size` bytes, which consists of these parts."""
        with self._lock:
            if size < _LARGE:
                self._records.append(parts[0] if len(parts) == 1 else b"".join(parts))
                self._size += size + FRAMING
                if self._size >= _TOGETHER:
                    self._write_out()
            else:
                self._write_out()
                self._write(*frame_parts(parts, size))

    def _write_out(self) -> None:
        if self._size >= _CLOSED:
            self._records.clear()
            raise ValueError("the writer is closed")
        records, self._records, self._size = self._records, [], 0
        if records:
            self._write(frame_records(records))

    def _write(self, *parts: bytes) -> None:
        try:
            self._sink.write(*parts)
        except BaseException:
            self.discard()  # a part may have been written: later bytes would not be a record
            raise


def write(
    target: Target,
    records: Iterable[Record],
    *,
    compression: WriteCompression = None,
    level: int | None = None,
) -> None:
    """Write a TFRecord file of these records, see `Writer`."""
    with Writer(target, compression=compression, level=level) as writer:
        for record in records:
            writer.write(record)
