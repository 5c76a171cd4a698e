"""The fields of a schema, and the buffer that describes them to a kernel."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

Kind: TypeAlias = Literal["bytes", "float32", "int64", "int32", "uint16", "span"]
Feature: TypeAlias = Kind | tuple[Kind, int | tuple[int, ...]]

Form: TypeAlias = Literal["ragged", "dense", "list", "dense list", "steps"]
"""What a column holds: the values of a feature, any number ("ragged") or a fixed number ("dense")
in each record; the values of all steps of a feature list, likewise; or where each step ends."""

Default: TypeAlias = bytes | int | float | tuple[bytes | int | float, ...]

_KINDS = get_args(Kind)  # a kind's number is its position, from 1
_ALIASES = {"string": "bytes", "float": "float32"}  # as tensorflow.DataType calls them
_FORMS = get_args(Form)  # a form's number is its position, from 0
_FIELD = struct.Struct("=iiiiq")  # ck_field: name offset, name size, kind, form, length


class Field(NamedTuple):
    """One feature: `length` values in every record, or any number when it is None."""

    name: str
    kind: Kind
    length: int | None


def features_of(
    fields: tuple[Field, ...], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, Feature]:
    """Return the fields in the form of a Schema's argument."""
    return {
        name: kind if length is None else (kind, shapes.get(name, length))
        for name, kind, length in fields
    }


def field_of(name: str, feature: Feature) -> tuple[Field, tuple[int, ...] | None]:
    """Return one entry of a Schema's argument, checked, and its shape unless that is (length,)."""
    if not isinstance(name, str):
        raise TypeError(f"a feature's name must be a str, not {type(name).__name__}")
    if isinstance(feature, str):
        return Field(name, _kind_of(name, feature), None), None
    if not isinstance(feature, tuple | list) or len(feature) != 2:
        raise TypeError(f"feature {name!r} must be a kind or (kind, length), not {feature!r}")
    kind, shape = feature
    if shape is None:
        return Field(name, _kind_of(name, kind), None), None
    try:
        lengths = tuple(map(operator.index, shape if isinstance(shape, tuple | list) else (shape,)))
    except TypeError:
        raise TypeError(
            f"feature {name!r}: a length or a shape is made of integers, not {shape!r}"
        ) from None
    if min(lengths, default=0) < 0 or math.prod(lengths) >= 2**31:
        raise ValueError(f"feature {name!r}: a length of {shape} is out of range")
    field = Field(name, _kind_of(name, kind), math.prod(lengths))
    return field, None if len(lengths) == 1 else lengths


def _kind_of(name: str, kind: Any) -> Kind:
    found: Any = _ALIASES.get(kind, kind) if isinstance(kind, str) else kind
    if found not in _KINDS:
        raise ValueError(f"feature {name!r}: {kind!r} is not one of {', '.join(_KINDS)}")
    return found  # type: ignore[no-any-return]


def default_of(field: Field, value: Any) -> Default:
    """Return the default of a dense field, checked: one value, or `length` of them in a tuple.

    Raises:
        ValueError: the field is ragged or of spans; there are neither 1 nor `length` values; or an
            integer does not fit the kind.
        TypeError: a value is of another kind.
    """
    name, kind, length = field
    if length is None or kind == "span":
        raise ValueError(f"feature {name!r}: only a dense feature of values can have a default")
    if kind == "bytes":
        flat = value if isinstance(value, list | tuple) else [value]
        values: list[Any] = [item.encode() if isinstance(item, str) else item for item in flat]
        right = all(isinstance(item, bytes) for item in values)
    else:
        array = np.asarray(value)
        values, right = array.ravel().tolist(), array.dtype.kind in "biuf"[: 3 + (kind[0] == "f")]
    if not right:
        raise TypeError(f"feature {name!r}: {value!r} is not a default of {kind}")
    if len(values) not in (1, length):
        raise ValueError(f"feature {name!r}: a default has 1 or {length} values, not {len(values)}")
    if kind != "bytes":
        limits = np.finfo(kind) if kind == "float32" else np.iinfo(kind)
        least, most = int(limits.min), int(limits.max)
        for number in filter(math.isfinite, values):
            if not least <= number <= most:
                raise ValueError(f"feature {name!r}: the default {number} does not fit {kind}")
    return values[0] if len(set(values)) == 1 else tuple(values)


def columns_of(
    features: tuple[Field, ...], sequence: tuple[Field, ...], defaults: Mapping[str, Default]
) -> Iterator[tuple[Field, Form]]:
    """See `Schema.columns`."""
    for field in features:
        yield field, "ragged" if field.length is None or field.name in defaults else "dense"
    for field in sequence:
        if field.length is None:
            yield from ((field, "list"), (field, "steps"))
        else:
            yield field, "dense list"


def encode(columns: tuple[tuple[Field, Form], ...]) -> bytes:
    """See `Schema.buffer`."""
    names = [field.name.encode() for field, _ in columns]
    table, at = [], _FIELD.size * len(columns)
    for name, (field, form) in zip(names, columns, strict=True):
        length = 0 if form == "ragged" else field.length or 0
        kind = _KINDS.index(field.kind) + 1
        table.append(_FIELD.pack(at, len(name), kind, _FORMS.index(form), length))
        at += len(name)
    return b"".join(table + names)
