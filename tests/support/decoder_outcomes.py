"""The outcome of decoding a record, according to protobuf and by a binding."""

from __future__ import annotations

from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from google.protobuf.message import DecodeError

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records import Schema
from ffi_cookbook.records.columns.arena import Arena
from support.example_proto import (
    BitsExample,
    BitsSequenceExample,
    Example,
    SequenceExample,
    feature_lists,
    features,
)
from support.lazy_proto import Refused, is_whole, maps, row
from support.record_kernels import Columns, Facts, arrays, facts, offsets_of

Row = list[Any]
"""Of each feature of a schema its values, then of each feature list those of its steps."""


# ---- protobuf ---------------------------------------------------------------------------------


def outcome(record: bytes, schema: Schema) -> Row | Refused:
    """Return the row of a record, or the reason why there is none.

    The row comes from parsing in steps, which is compared with parsing the whole message: both
    accept the record, or there is a reason; and if both accept it, they read the same values.
    """
    accepted = is_accepted(record, schema)
    assert accepted == is_whole(record, schema), f"steps and whole differ: {record.hex()}"
    try:
        entries = maps(record, schema)
        found = row(entries, schema)
    except Refused as refused:
        return refused
    if accepted:
        known = [[entry for entry in part if not entry.unknown] for part in entries]
        with suppress(Refused):  # a dropped part may be missing now
            same = found if known == entries else row(known, schema)
            assert same == whole_row(record, schema), f"steps and whole differ: {record.hex()}"
    return found


def is_accepted(record: bytes, schema: Schema) -> bool:
    """Return True if protobuf parses the whole message."""
    try:
        (SequenceExample if schema.sequence else Example).FromString(record)
    except DecodeError:
        return False
    return True


def assert_as_protobuf(record: bytes, schema: Schema, error: Facts | None) -> None:
    """Check that a record is refused for protobuf's reason, or not at all."""
    wanted = outcome(record, schema)
    if isinstance(wanted, Refused):
        assert error, f"{wanted}, but accepted"
        assert wanted.allows(error), f"{error}, not {wanted}"
    else:
        assert error is None, f"{error}, but protobuf accepts it"


def whole_row(record: bytes, schema: Schema) -> Row:
    """Return the row that the whole message gives."""
    context = features(record, BitsExample) if schema.fields else {}
    lists = feature_lists(record, BitsSequenceExample) if schema.sequence else {}
    nothing = "", []
    return [
        *(context.get(field.name, nothing)[1] for field in schema.fields),
        *([values for _, values in lists.get(field.name, [])] for field in schema.sequence),
    ]


# ---- a binding -----------------------------------------------------------------------------------


def decode_all(
    binding: ModuleType, records: list[bytes], schema: Schema
) -> tuple[dict[int, Facts], Columns]:
    """Return the fields of the errors by record number, and the columns of the other records.

    Spans are returned as the bytes they point to. The CRCs are zeros, since nothing checks them.
    """
    frames = [len(data).to_bytes(12, "little") + data + bytes(4) for data in records]
    file, ends = b"".join(frames), np.cumsum([len(it) for it in frames]).tolist()
    arena = Arena(schema, len(records), [(len(file), len(file))] * len(schema.columns))
    cursor, errors = np.zeros(4, np.int64), {}
    while cursor[1] < len(file):
        try:
            binding.decode_examples(
                file, schema.buffer, arena.memory, arena.table, cursor, len(records), False, True
            )
        except RecordError as error:
            errors[error.record] = facts(error)
            cursor[1:3] = ends[error.record], error.record + 1
    found = arrays(arena, schema, int(cursor[3]))
    for field in schema.fields + schema.sequence:
        if field.kind == "span":
            spans = found[field.name][0].reshape(-1, 2).tolist()
            values = [file[start : start + size] for start, size in spans]
            found[field.name][:1] = _values("bytes", values)
    return errors, found


# ---- columns ----------------------------------------------------------------------------------


def columns_of(rows: list[Row], schema: Schema) -> Columns:
    """Return the rows as the columns of a batch."""
    columns, n = {}, len(schema.fields)
    for number, field in enumerate(schema.fields + schema.sequence):
        of_field = [row[number] for row in rows]
        steps = [step for row in of_field for step in row] if number >= n else of_field
        parts = _values(field.kind, [value for values in steps for value in values])
        if field.length is None or field.kind == "bytes":
            parts.append(offsets_of(steps))
        if number >= n:
            parts.append(offsets_of(of_field))
        columns[field.name] = parts
    return columns


def _values(kind: str, values: list[Any]) -> list[npt.NDArray[Any]]:
    if kind in ("bytes", "span"):
        return [np.frombuffer(b"".join(values), np.uint8), offsets_of(values)]
    if kind == "float32":
        return [np.array(values, np.uint32).view(kind)]
    return [np.array(values, kind)]
