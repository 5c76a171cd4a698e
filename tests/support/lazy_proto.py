"""protobuf, the oracle: the outcome of decoding a record, with the parts that a schema reads.

A record is parsed in steps, see lazy_messages.py. The content of a step is parsed only if the
schema needs it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.records import Field, Schema
from support.example_proto import (
    BitsExample,
    BitsSequenceExample,
    Example,
    Feature,
    FeatureList,
    SequenceExample,
    feature_lists,
    features,
)
from support.lazy_messages import KINDS, MESSAGES, parse
from support.record_kernels import Facts

WIRE = {Code.WIRE_TYPE, Code.VARINT, Code.SUBMESSAGE_LENGTH, Code.FLOAT_LENGTH}
Row = list[Any]
"""Of each feature of a schema its values, then of each feature list those of its steps."""
_OF_VALUES = {Code.TYPE_MISMATCH, Code.MISSING, Code.DENSE_LENGTH, Code.RANGE}
_KIND_OF = {"span": "bytes", "int32": "int64", "uint16": "int64"}
_LIMITS = {"int32": (-(2**31), 2**31 - 1), "uint16": (0, 2**16 - 1)}


class Refused(Exception):
    """The fault of a record: one of these codes, and the known fields of the error."""

    def __init__(self, codes: set[Code], field: str | None, facts: tuple[int, int] | None) -> None:
        self.codes, self.field, self.facts = codes, field, facts

    def allows(self, error: Facts) -> bool:
        """Return True if a decoder may report this about the record."""
        code, _, _, field, *facts, _ = error
        return code in self.codes and field == self.field and self.facts in (None, tuple(facts))

    def __repr__(self) -> str:
        return f"Refused({self.codes}, {self.field!r}, {self.facts})"


class Entry(NamedTuple):
    """An entry of a map: all its keys and values, and True if it has anything else."""

    keys: list[bytes]
    values: list[bytes]
    unknown: bool


def maps(record: bytes, schema: Schema) -> list[list[Entry]]:
    """Return the entries of the context and, if the schema has a list, of the feature lists."""
    try:
        found = parse(_name(schema), record)[0]
    except DecodeError:
        raise Refused(WIRE, None, None) from None
    parts = [found.field_1, found.field_2 if schema.sequence else []]
    return [[_entry(it) for features in part for it in features.field_1] for part in parts]


def _name(schema: Schema) -> str:
    return "SequenceExample" if schema.sequence else "Example"


def _entry(message: Any) -> Entry:
    return Entry([*message.field_1], [*message.field_2], len(UnknownFieldSet(message)) > 0)


def is_whole(record: bytes, schema: Schema) -> bool:
    """Return True if protobuf accepts all parts of a record and every key is UTF-8."""
    try:
        found = MESSAGES[_name(schema)].FromString(record)
        parts = (found.field_1, Feature), (found.field_2 if schema.sequence else [], FeatureList)
        for maps, message in parts:
            for entry in (entry for features in maps for entry in features.field_1):
                for key in entry.field_1:
                    key.decode()
                for value in entry.field_2:
                    message.FromString(value)
    except (DecodeError, UnicodeDecodeError):
        return False
    return True


def row(entries: list[list[Entry]], schema: Schema) -> list[list[Any]]:
    """Return the values of each feature of the schema; for a feature list, the values of its steps.

    Floats are returned as their bits, spans as the bytes they point to.
    """
    features, lists = ({last(it.keys): it.values for it in part} for part in entries)
    values = [_feature(field, features.get(field.name.encode(), [])) for field in schema.fields]
    return values + [_steps(field, lists.get(field.name.encode(), [])) for field in schema.sequence]


def last(keys: list[bytes]) -> bytes:
    """Return the key of an entry; if there are several, the last."""
    return keys[-1] if keys else b""


def _steps(field: Field, values: list[bytes]) -> list[list[Any]]:
    try:
        steps = [step for value in values for step in parse("FeatureList", value)[0].field_1]
    except DecodeError:  # perhaps after a step with a fault of its own
        raise Refused(WIRE | _OF_VALUES, field.name, None) from None
    return [_feature(field, [step]) for step in steps]


def _feature(field: Field, parts: Iterable[bytes]) -> list[Any]:
    kind = _KIND_OF.get(field.kind, field.kind)
    number, merged = 1 + list(KINDS).index(kind), MESSAGES[f"feature_{kind}"]()
    for part in parts:
        try:
            every, good = parse(f"every_{kind}", part)
        except DecodeError:
            codes = WIRE | {Code.RANGE} if field.kind in _LIMITS else WIRE
            raise Refused(codes, field.name, None) from None
        if field.kind in _LIMITS:
            _check_range(field, (it for each in every.field_3 for it in each.field_1))
        merged.MergeFromString(good)
    which = merged.WhichOneof("kind")
    if which not in (None, f"field_{number}"):
        raise Refused({Code.TYPE_MISMATCH}, field.name, (number, int(which[-1])))
    values = list(getattr(merged, which).field_1) if which else []
    if field.length is not None:
        if not which or (field.length and not values):
            raise Refused({Code.MISSING}, field.name, (field.length, 0))
        if len(values) != field.length:
            raise Refused({Code.DENSE_LENGTH}, field.name, (field.length, len(values)))
    return values


def _check_range(field: Field, values: Iterator[int]) -> None:
    low, high = _LIMITS[field.kind]
    for value in values:
        if not low <= value <= high:
            raise Refused({Code.RANGE}, field.name, (low if value < low else high, value))


# ---- outcomes ---------------------------------------------------------------------------------


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
