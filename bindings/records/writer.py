"""Writing TFRecord files: frames with their CRCs."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Literal

import numpy as np

from bindings.protocol import Buffer
from bindings.records.batch import Batch
from bindings.records.crc import masked_crc
from bindings.records.encoding import encode_columns, encode_example
from bindings.records.inflate import WINDOW_BITS


def frame(data: Buffer) -> bytes:
    """The record around the bytes of a buffer: their length and its CRC, they and their CRC."""
    data = bytes(memoryview(data))
    length = len(data).to_bytes(8, "little")
    return b"".join((length, _crc(length), data, _crc(data)))


def _crc(data: bytes) -> bytes:
    return masked_crc(np.frombuffer(data, np.uint8)).to_bytes(4, "little")


class Writer:
    """A TFRecord file being written; use it in a `with` statement.

    with Writer("train.tfrecord.gz", compression="gzip") as writer:
        writer.write({"label": 3, "pixels": pixels})
    """

    def __init__(
        self, path: str | os.PathLike[str], *, compression: Literal["gzip", "zlib"] | None = None
    ) -> None:
        self._deflate = (
            zlib.compressobj(wbits=WINDOW_BITS[compression]) if compression is not None else None
        )
        self._file = open(path, "wb")  # noqa: SIM115

    def write(self, record: Buffer | Mapping[str, Any]) -> None:
        """Appends a record: the bytes of a buffer as they are, a mapping as a tf.train.Example."""
        data = encode_example(record) if isinstance(record, Mapping) else record
        framed = frame(data)
        self._file.write(self._deflate.compress(framed) if self._deflate else framed)

    def write_columns(self, columns: Mapping[str, Any] | Batch) -> None:
        """Appends a tf.train.Example for each row of some columns: arrays whose first axis is the
        records, `Ragged`, `RaggedBytes`, lists; so also for those of a batch that has been read. Of
        a batch with feature lists, a SequenceExample.

        Raises:
            ValueError: columns of different lengths.
            TypeError: a batch's column of spans, which are places and no values.
        """
        if isinstance(columns, Batch):
            for field in columns.schema.fields + columns.schema.sequence:
                if field.kind == "span":
                    raise TypeError(f"feature {field.name!r}: spans cannot be written")
        for data in encode_columns(dict(columns.items())):
            self.write(data)

    def close(self) -> None:
        """Completes the file; nothing when that has been done."""
        if not self._file.closed:
            if self._deflate:
                self._file.write(self._deflate.flush())
            self._file.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def write(
    path: str | os.PathLike[str],
    records: Iterable[Buffer | Mapping[str, Any]],
    *,
    compression: Literal["gzip", "zlib"] | None = None,
) -> None:
    """Writes a TFRecord file: one record for each buffer or mapping, see `Writer.write`."""
    with Writer(path, compression=compression) as writer:
        for record in records:
            writer.write(record)
