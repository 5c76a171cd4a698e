"""Writing TFRecord files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bindings.opening import open_backend
from bindings.protocol import Backend
from bindings.records.appending import Appending, Record
from bindings.records.deflate import Deflate, WriteCompression, check_compression
from bindings.records.encoding import Encoder
from bindings.records.frames import FOOTER, FRAMING, HEADER, footer, frames, header
from bindings.records.targets import Sink, Target, open_target

_TOGETHER = 1 << 18  # bytes of small records that are written at once
_LARGE = 1 << 14  # bytes of a record that is written on its own


class Writer(Appending):
    """A TFRecord file being written; use it in a `with` statement.

        with Writer("train.tfrecord.gz", compression="gzip") as writer:
            writer.write({"label": 3, "pixels": pixels})

    The file appears under its name when the block ends, complete; an exception within the block
    leaves nothing behind, and a file of that name as it was.

    Args:
        target: a path, a URL for fsspec, or a binary file object, which is not closed.
        compression: "gzip", "zlib" or None.
        level: of the compression, 0 (none) to 9 (best); None for zlib's default.
        backend: the binding that computes checksums and encodes integers, None for the fastest.

    Raises:
        ValueError: `compression` or `level` is none of these.
        OSError: the file cannot be made or written to, with its name.
    """

    def __init__(
        self,
        target: Target,
        *,
        compression: WriteCompression = None,
        level: int | None = None,
        backend: str | Backend | None = None,
    ) -> None:
        kind = check_compression(compression, level)
        opened = open_backend(backend)
        super().__init__(Encoder(opened))
        self._crc32c = opened.crc32c
        self._records: list[bytes] = []  # not yet written, `_size` bytes with their frames
        self._size, self._open = 0, True
        self._memory = memoryview(b"")  # of a large record
        sink = open_target(target)
        self._sink: Sink = Deflate(sink, kind, level) if kind else sink

    def close(self) -> None:
        """Complete the file and give it its name. Does nothing when that has been done."""
        if self._open:
            self.finish()
            self.publish()

    def finish(self) -> None:
        """Complete the file, but leave it under a temporary name: `publish` must follow."""
        try:
            self._write_out()
            self._sink.close()
        except BaseException:
            self.discard()
            raise
        self._open = False

    def publish(self) -> None:
        """Give a finished file its name."""
        try:
            self._sink.publish()
        finally:
            self.discard()

    def discard(self) -> None:
        """Close the writer, and remove what has been written unless it is published already. A file
        object keeps it."""
        self._open = False
        self._records.clear()
        self._sink.discard()

    def append(self, parts: Sequence[bytes]) -> None:
        """Append a serialised record that consists of these parts."""
        if not self._open:
            raise ValueError("the writer is closed")
        data = parts[0]
        size = len(data) if len(parts) == 1 else sum(map(len, parts))
        if size >= _LARGE:
            self._write_large(parts, size)
            return
        self._records.append(data if len(parts) == 1 else b"".join(parts))
        self._size += size + FRAMING
        if self._size >= _TOGETHER:
            self._write_out()

    _append = append

    def _write_large(self, parts: Sequence[bytes], size: int) -> None:
        """Write a record from memory that is used again: memory that is new costs more than to copy
        the data, as the system has to clear it."""
        self._write_out()
        if len(self._memory) < size + FRAMING:
            self._memory = memoryview(bytearray(size + FRAMING))
        start, memory = HEADER, self._memory
        memory[:start] = header(self._crc32c, size)
        for part in parts:
            end = start + len(part)
            memory[start:end] = part
            start = end
        memory[start : start + FOOTER] = footer(self._crc32c, memory[HEADER:start])
        self._write(memory[: start + FOOTER])

    def _write_out(self) -> None:
        if self._records:
            data, self._size = frames(self._crc32c, self._records), 0
            self._records.clear()
            self._write(data)

    def _write(self, data: bytes | memoryview) -> None:
        try:
            self._sink.write(data)
        except BaseException:
            self.discard()  # a part may have been written: what followed would not be a record
            raise


def write(
    target: Target,
    records: Iterable[Record],
    *,
    compression: WriteCompression = None,
    level: int | None = None,
    backend: str | Backend | None = None,
) -> None:
    """Write a TFRecord file of these records, see `Writer`."""
    with Writer(target, compression=compression, level=level, backend=backend) as writer:
        for record in records:
            writer.write(record)
