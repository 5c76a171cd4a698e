"""The writer of a set of TFRecord files."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import partial

from ffi_cookbook.files import NewFile, PathLike
from ffi_cookbook.records.writing.appending import Appending
from ffi_cookbook.records.writing.deflate import WriteCompression
from ffi_cookbook.records.writing.writer import Writer
from ffi_cookbook.wire import FRAMING


class ShardedWriter(Appending):
    """Several TFRecord files being written; use it in a `with` statement.

        with ShardedWriter("train-{shard:05d}-of-{n:05d}.tfrecord", shards=16) as writer:
            writer.write({"label": 3, "pixels": pixels})

    All files appear under their names when the block ends; an exception leaves none of them.
    Threads may share a writer.

    Args:
        pattern: a path whose last part has a `{shard}`, a file's number from 0 on, and may have an
            `{n}`, the number of files: fields as in `str.format`.
        shards: the number of files; the records go to them in turn. Exactly one of this and the two
            limits below must be given.
        max_bytes: the most bytes of records in a file, with their framing and before compression; a
            larger record has a file of its own.
        max_records: the most records in a file.
        compression, level: see `Writer`.

    Raises:
        ValueError: `pattern` is not as above, or there is not exactly one limit, or it is not
            positive.
    """

    def __init__(
        self,
        pattern: PathLike,
        *,
        shards: int | None = None,
        max_bytes: int | None = None,
        max_records: int | None = None,
        compression: WriteCompression = None,
        level: int | None = None,
    ) -> None:
        limits = {"shards": shards, "max_bytes": max_bytes, "max_records": max_records}
        given = {name: limit for name, limit in limits.items() if limit is not None}
        if len(given) != 1:
            raise ValueError(f"one of shards, max_bytes, max_records must be given, not {given}")
        for name, limit in given.items():
            if limit < 1:
                raise ValueError(f"{name} must be at least 1, not {limit}")
        super().__init__()
        self._pattern = os.fspath(pattern)
        if self._name(0, 1) == self._name(1, 1) or "{" in os.path.dirname(self._pattern):
            raise ValueError(f"the last part of pattern must have a {{shard}}: {self._pattern!r}")
        self._new_writer = partial(Writer, compression=compression, level=level)
        self._fixed, self._max_bytes, self._max_records = bool(shards), max_bytes, max_records
        self._files: list[tuple[NewFile, Writer]] = []
        self._current = self._bytes = self._records = 0
        self._open, self._lock = True, threading.RLock()
        try:
            for _ in range(shards or 1):
                self._add()
        except BaseException:
            self.discard()
            raise

    def close(self) -> None:
        """Complete all files and give them their names; do nothing if that has been done."""
        with self._lock:
            if not self._open:
                return
            try:
                for _, writer in self._files:
                    writer.finish()
                for shard, (file, writer) in enumerate(self._files):
                    file.target = self._name(shard, len(self._files))
                    writer.publish()
            finally:
                self.discard()

    def discard(self) -> None:
        """Close the writer, and remove all files that are not published."""
        with self._lock:
            self._open = False
            for _, writer in self._files:
                writer.discard()

    def append(self, parts: Sequence[bytes], size: int) -> None:
        """Append a serialised record to the file whose turn it is."""
        with self._lock:
            if not self._open:
                raise ValueError("the writer is closed")
            framed = size + FRAMING
            if not self._fixed and self._is_full(framed):
                self._files[-1][1].finish()
                self._add()
            self._bytes += framed
            self._records += 1
            try:
                self._files[self._current][1].append(parts, size)
            except BaseException:
                self.discard()
                raise
            if self._fixed:
                self._current = (self._current + 1) % len(self._files)

    def _is_full(self, more: int) -> bool:
        if self._max_records:
            return self._records == self._max_records
        return self._bytes > 0 and self._bytes + more > (self._max_bytes or 0)

    def _add(self) -> None:
        """Begin another file, before the number of files is known."""
        file = NewFile(self._name(len(self._files), 0))
        self._files.append((file, self._new_writer(file)))
        self._bytes = self._records = 0
        self._current = 0 if self._fixed else len(self._files) - 1

    def _name(self, shard: int, n: int) -> str:
        try:
            return self._pattern.format(shard=shard, n=n)
        except (LookupError, ValueError, AttributeError) as error:
            text = f"pattern must have {{shard}}, and may have {{n}}, not {self._pattern!r}"
            raise ValueError(text) from error
