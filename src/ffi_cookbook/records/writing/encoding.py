"""tf.train.Example and SequenceExample from dicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any, TypeAlias

import numpy as np

from ffi_cookbook.records.columns.ragged import Ragged
from ffi_cookbook.records.writing.headers import (
    Around,
    entry_head,
    message,
    message_head,
    packed_head,
    plain_name,
    step_head,
)
from ffi_cookbook.records.writing.values import content_of


def encode_example(features: Mapping[str, Any]) -> bytes:
    """Return a serialised tf.train.Example, as protobuf writes it in the order of `features`.

    Args:
        features: by name, a number, a str, bytes, or a list or array of these. Ints and bools make
            an int64 feature, floats a float32 one. A buffer of bytes (bytearray, mmap, a memoryview
            of bytes) is taken as bytes, and so is a protobuf message, which is serialised. An empty
            list makes a feature without a kind, which is a missing one; an empty array keeps its
            kind.

    Raises:
        OverflowError: an integer does not fit an int64, or a finite float a float32.
        TypeError: a name is not a str, or a value is none of these. NumPy's arrays of dtype `S`,
            which cannot hold a NUL at the end of a string, are refused: give a list of bytes. A
            masked array is refused if a value is masked, one of Arrow if a value is null.
    """
    return b"".join(example(features)[0])


def encode_sequence_example(
    context: Mapping[str, Any], sequence: Mapping[str, Iterable[Any]]
) -> bytes:
    """Return a serialised tf.train.SequenceExample.

    The context is as in an Example; each feature list consists of steps, each a value as there. The
    exceptions are the same.
    """
    return b"".join(sequence_example(context, sequence)[0])


Record: TypeAlias = tuple[list[bytes], int]
"""The parts of a record, so that a large value need not be copied, and their size."""


def example(features: Mapping[str, Any]) -> Record:
    """See `encode_example`."""
    parts = [b""]
    size = _add(parts, entry_head, features.items())
    parts[0] = message_head(1, size)
    return parts, size + len(parts[0])


def sequence_example(context: Mapping[str, Any], sequence: Mapping[str, Iterable[Any]]) -> Record:
    """See `encode_sequence_example`."""
    lists: list[bytes] = []
    for name, steps in sequence.items():
        parts: list[bytes] = []
        size = _add(parts, step_head, zip(repeat(name), steps))
        lists += entry_head(plain_name(name), size), *parts
    if lists:
        lists.insert(0, message_head(2, sum(map(len, lists))))
    parts = [*(example(context)[0] if context else ()), *lists]
    return parts, sum(map(len, parts))


def rows(columns: Mapping[str, Any]) -> Iterator[Record]:
    """Yield the records whose columns these are, see `Writer.write_columns`."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns must have the same length, not {lengths}")
    lists = [name for name, column in columns.items() if _has_steps(column)]
    for values in zip(*map(_items, columns.values()), strict=True):
        row = dict(zip(columns, values, strict=True))
        sequence = {name: row.pop(name) for name in lists}
        yield sequence_example(row, sequence) if lists else example(row)


def _add(parts: list[bytes], around: Around, features: Iterable[tuple[str, Any]]) -> int:
    """Append features, each with the head that `around` makes for it, and return their size."""
    size, append = 0, parts.append
    for name, value in features:
        if type(name) is not str:
            name = plain_name(name)
        kind, content, packed = content_of(name, value)
        if packed:
            head = packed_head(around, name, kind, len(content))
        else:
            content = message(kind, content) if kind else b""
            head = around(name, len(content))
        append(head)
        append(content)
        size += len(head) + len(content)
    return size


def _has_steps(column: Any) -> bool:
    values = column.values if isinstance(column, Ragged) else None
    return values is not None and (not isinstance(values, np.ndarray) or values.ndim > 1)


def _items(column: Any) -> Any:
    """Return the rows of a column; Python's numbers are faster to handle than NumPy's."""
    if type(column) is np.ndarray and column.ndim == 1 and column.dtype.kind in "biuf":
        return column.tolist()
    return column
