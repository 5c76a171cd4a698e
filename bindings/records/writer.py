"""Writing TFRecord files: frames with their CRCs, and tf.train.Example from a dict."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Literal

import numpy as np

from bindings.records.crc import masked_crc
from bindings.records.inflate import WINDOW_BITS

# ---- tf.train.Example -------------------------------------------------------------------------


def encode_example(features: Mapping[str, Any]) -> bytes:
    """A serialised tf.train.Example, as protobuf would write it with the features in this order.

    A value is a number, a str or bytes, or a list or array of these: ints and bools make an int64
    feature, floats a float32 one. An empty list makes a feature without a kind, which is a missing
    one; an empty array keeps its kind.

    Raises:
        OverflowError: an integer beyond int64.
        TypeError: a value that is none of these.
    """
    entries = (
        _message(1, _message(1, name.encode()) + _message(2, _feature(name, value)))
        for name, value in features.items()
    )
    return _message(1, b"".join(entries))


def _feature(name: str, value: Any) -> bytes:
    values = [value] if isinstance(value, bytes | str) else value
    if isinstance(values, list | tuple):
        if not values:
            return b""
        if all(isinstance(item, bytes | str) for item in values):
            items = (item.encode() if isinstance(item, str) else item for item in values)
            return _message(1, b"".join(_message(1, item) for item in items))
    array = np.asarray(values).reshape(-1)
    if array.dtype.kind == "f":
        return _message(2, _packed(array.astype("<f4").tobytes()))
    if array.dtype.kind in "biu":
        return _message(3, _packed(b"".join(map(_int64, array.tolist()))))
    raise TypeError(f"feature {name!r}: {array.dtype} values are neither numbers nor bytes")


def _packed(values: bytes) -> bytes:
    return _message(1, values) if values else b""


def _message(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _int64(value: int) -> bytes:
    if not -(2**63) <= value < 2**63:
        raise OverflowError(f"{value} does not fit an int64")
    return _varint(value & (2**64 - 1))


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


# ---- TFRecord ---------------------------------------------------------------------------------


def frame(data: bytes) -> bytes:
    """The record around some data: its length and the length's CRC, the data and its CRC."""
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

    def write(self, record: bytes | Mapping[str, Any]) -> None:
        """Appends a record: bytes as they are, a mapping as a tf.train.Example."""
        data = encode_example(record) if isinstance(record, Mapping) else record
        framed = frame(data)
        self._file.write(self._deflate.compress(framed) if self._deflate else framed)

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
    records: Iterable[bytes | Mapping[str, Any]],
    *,
    compression: Literal["gzip", "zlib"] | None = None,
) -> None:
    """Writes a TFRecord file: one record for each bytes or mapping, see `Writer.write`."""
    with Writer(path, compression=compression) as writer:
        for record in records:
            writer.write(record)
