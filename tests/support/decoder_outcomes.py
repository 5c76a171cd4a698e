"""The outcome of decoding a record, according to protobuf and by a binding."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from google.protobuf.message import DecodeError

from ffi_cookbook.records import Schema
from support.example_proto import (
    BitsExample,
    BitsSequenceExample,
    Example,
    SequenceExample,
    feature_lists,
    features,
)
from support.lazy_proto import Refused, is_whole, maps, row
from support.record_kernels import Facts

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
