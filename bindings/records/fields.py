"""The fields of a schema, and the buffer that tells a kernel of them."""

from __future__ import annotations

import operator
import struct
from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias, get_args

Kind: TypeAlias = Literal["bytes", "float32", "int64", "int32", "uint16", "span"]
Feature: TypeAlias = Kind | tuple[Kind, int]

Form: TypeAlias = Literal["ragged", "dense", "list", "dense list", "steps"]
"""What a column holds: the values of a feature, or of all steps of a feature list, in each any
number or as many as the schema says; or where each step ends."""

_KINDS = get_args(Kind)  # a kind's number is its place, from 1
_FORMS = get_args(Form)  # a form's, from 0
_FIELD = struct.Struct("=iiiiq")  # ck_field: name offset, name size, kind, form, length


class Field(NamedTuple):
    """One feature: `length` values in every record, or any number when it is None."""

    name: str
    kind: Kind
    length: int | None


def features_of(fields: tuple[Field, ...]) -> dict[str, Feature]:
    """The fields as a Schema takes them."""
    return {name: kind if length is None else (kind, length) for name, kind, length in fields}


def field_of(name: str, feature: Feature) -> Field:
    """One entry of what a Schema takes, checked."""
    if not isinstance(name, str):
        raise TypeError(f"a feature's name must be a str, not {type(name).__name__}")
    if not isinstance(feature, str) and not (isinstance(feature, tuple) and len(feature) == 2):
        raise TypeError(f"feature {name!r} must be a kind or (kind, length), not {feature!r}")
    kind, length = (feature, None) if isinstance(feature, str) else feature
    if kind not in _KINDS:
        raise ValueError(f"feature {name!r}: {kind!r} is none of {', '.join(_KINDS)}")
    if length is None:
        return Field(name, kind, None)
    if not 0 <= operator.index(length) < 2**31:
        raise ValueError(f"feature {name!r}: a length of {length} is out of range")
    return Field(name, kind, operator.index(length))


def columns_of(
    features: tuple[Field, ...], sequence: tuple[Field, ...]
) -> Iterator[tuple[Field, Form]]:
    """See `Schema.columns`."""
    for field in features:
        yield field, "ragged" if field.length is None else "dense"
    for field in sequence:
        if field.length is None:
            yield from ((field, "list"), (field, "steps"))
        else:
            yield field, "dense list"


def encode(columns: tuple[tuple[Field, Form], ...]) -> bytes:
    """See `Schema.buffer`."""
    table, names = b"", b""
    for field, form in columns:
        name, kind = field.name.encode(), _KINDS.index(field.kind) + 1
        at = _FIELD.size * len(columns) + len(names)
        table += _FIELD.pack(at, len(name), kind, _FORMS.index(form), field.length or 0)
        names += name
    return table + names
