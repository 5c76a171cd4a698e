"""Writing TFRecord files."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from ffi_cookbook.records.writing.appending import Appending, Record
from ffi_cookbook.records.writing.deflate import Deflate, WriteCompression, check_compression
from ffi_cookbook.records.writing.targets import Sink, Target, open_target
from ffi_cookbook.wire import FRAMING, frame_parts, frame_records

_TOGETHER = 1 << 18  # bytes of small records that are framed and written at once
_LARGE = 1 << 14  # a record of at least this size is written on its own, without a copy
_CLOSED = 1 << 62  # more than `_TOGETHER`, so that a closed writer needs no check of its own


class Writer(Appending):
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
        kind = check_compression(compression, level)
        super().__init__()
        self._records: list[bytes] = []  # not yet written: `_size` bytes with their frames
        self._size = 0
        self._lock = threading.RLock()  # re-entered by a signal handler that writes
        sink = open_target(target)
        self._sink: Sink = Deflate(sink, kind, level) if kind else sink

    def close(self) -> None:
        """Complete the file and give it its name; do nothing if that has been done."""
        with self._lock:
            if self._size < _CLOSED:
                self.finish()
                self.publish()

    def finish(self) -> None:
        """Complete the file, once, but leave it under a temporary name: `publish` must follow."""
        with self._lock:
            if self._size >= _CLOSED:
                return
            try:
                self._write_out()
                self._sink.close()
            except BaseException:
                self.discard()
                raise
            self._size = _CLOSED

    def publish(self) -> None:
        """Give a finished file its name."""
        try:
            self._sink.publish()
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
        """Append a record, see `Appending.write`."""
        if type(record) is bytes and (size := len(record)) < _LARGE:
            with self._lock:
                self._records.append(record)
                self._size = size = self._size + size + FRAMING
                if size >= _TOGETHER:
                    self._write_out()
        else:
            super().write(record)

    def append(self, parts: Sequence[bytes], size: int) -> None:
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
