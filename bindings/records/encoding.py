"""tf.train.Example and SequenceExample from dicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from bindings.records.ragged import Ragged

_STRING = bytes | bytearray | str


def encode_example(features: Mapping[str, Any]) -> bytes:
    """A serialised tf.train.Example, as protobuf would write it with the features in this order.

    A value is a number, a str, bytes or bytearray, or a list or array of these: ints and bools make
    an int64 feature, floats a float32 one. An empty list makes a feature without a kind, which is a
    missing one; an empty array keeps its kind.

    Raises:
        OverflowError: an integer beyond int64.
        TypeError: a value that is none of these.
    """
    entries = (_entry(name, _feature(name, value)) for name, value in features.items())
    return _message(1, b"".join(entries))


def encode_sequence_example(
    context: Mapping[str, Any], sequence: Mapping[str, Iterable[Any]]
) -> bytes:
    """A serialised tf.train.SequenceExample: the context as in an Example, and of each feature list
    the steps, each a value as there. The exceptions are the same."""
    entries = (_entry(name, _feature_list(name, steps)) for name, steps in sequence.items())
    lists = b"".join(entries)
    return (encode_example(context) if context else b"") + (_message(2, lists) if lists else b"")


def encode_columns(columns: Mapping[str, Any]) -> Iterator[bytes]:
    """The records whose columns these are, see `Writer.write_columns`."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns must have the same length, not {lengths}")
    lists = [name for name, column in columns.items() if _has_steps(column)]
    rows = zip(*columns.values(), strict=True)
    for row in (dict(zip(columns, row, strict=True)) for row in rows):
        sequence = {name: row.pop(name) for name in lists}
        yield encode_sequence_example(row, sequence) if lists else encode_example(row)


def _has_steps(column: Any) -> bool:
    values = column.values if isinstance(column, Ragged) else None
    return values is not None and (not isinstance(values, np.ndarray) or values.ndim > 1)


def _entry(name: str, value: bytes) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"a feature's name must be a str, not {type(name).__name__}")
    return _message(1, _message(1, name.encode()) + _message(2, value))


def _feature_list(name: str, steps: Iterable[Any]) -> bytes:
    return b"".join(_message(1, _feature(name, step)) for step in steps)


def _feature(name: str, value: Any) -> bytes:
    if isinstance(value, list | tuple) and not value:
        return b""
    values = [value] if isinstance(value, _STRING | int) else value
    if isinstance(values, np.ndarray) and values.dtype.kind in "SUTO":
        values = values.reshape(-1).tolist()
    if isinstance(values, list | tuple):
        if all(isinstance(item, _STRING) for item in values):
            items = (item.encode() if isinstance(item, str) else item for item in values)
            return _message(1, b"".join(_message(1, item) for item in items))
        if all(isinstance(item, int) for item in values):  # NumPy makes floats of [-1, 2**63]
            return _integers(name, values)
    try:
        array = np.asarray(values).reshape(-1)
    except ValueError as error:
        raise TypeError(f"feature {name!r}: {error}") from None
    if array.dtype.kind == "f":
        return _message(2, _packed(array.astype("<f4").tobytes()))
    if array.dtype.kind in "biu":
        return _integers(name, array.tolist())
    raise TypeError(f"feature {name!r}: {array.dtype} values are neither numbers nor bytes")


def _integers(name: str, values: Iterable[int]) -> bytes:
    for value in values:
        if not -(2**63) <= value < 2**63:
            raise OverflowError(f"feature {name!r}: {value} does not fit an int64")
    return _message(3, _packed(b"".join(_varint(value & (2**64 - 1)) for value in values)))


def _packed(values: bytes) -> bytes:
    return _message(1, values) if values else b""


def _message(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
