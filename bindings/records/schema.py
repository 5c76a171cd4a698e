"""Schema: the features to decode, and what is expected of each."""

from __future__ import annotations

import operator
import struct
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

Kind: TypeAlias = Literal["bytes", "float32", "int64", "int32", "uint16", "span"]
Feature: TypeAlias = Kind | tuple[Kind, int]

_KINDS = get_args(Kind)  # a kind's number is its place, from 1
_FIELD = struct.Struct("=iiiiq")  # ck_field: name offset, name size, kind, dense, length


class Field(NamedTuple):
    """One feature: `length` values in every record, or any number when it is None."""

    name: str
    kind: Kind
    length: int | None


class Schema:
    """The features to decode, by name.

        Schema({"label": "int64", "pixels": ("float32", 784), "tags": "bytes"})

    A kind alone makes a ragged column: any number of values a record, none where the feature is
    missing. (kind, n) makes a dense one: exactly n values, everything else is an error.

    "int32" and "uint16" are int64 features whose values are checked to fit. "span" is a bytes
    feature of which nothing is copied: (offset, size) of each value in the (decompressed) file.

    Immutable, hashable, and pickles.
    """

    __slots__ = ("_buffer", "_fields")

    def __init__(self, features: Mapping[str, Feature]) -> None:
        self._fields = tuple(_field(name, feature) for name, feature in features.items())
        self._buffer = _encode(self._fields)

    @staticmethod
    def infer(source: Any, *, records: int = 1000, compression: Any = "infer") -> Schema:
        """The schema of a TFRecord file, from its first `records` records.

        A feature that each of them has, with the same number of values, becomes dense, every other
        one ragged; the names are sorted. `source` and `compression` are those of `read`.

        Raises:
            ValueError: a feature of two kinds, or no record.
            RecordError: a bad record.
        """
        from bindings.records import inference

        return inference.infer(source, records, compression)

    @staticmethod
    def from_feature_spec(spec: Mapping[str, Any]) -> Schema:
        """The schema of a TensorFlow feature spec: FixedLenFeature is dense, of as many values as
        its shape has; VarLenFeature and RaggedFeature are ragged. TensorFlow is not needed: what
        counts is `dtype` and `shape`.

        Raises:
            ValueError: another dtype than string, float32, int64; a default; partitions.
        """
        from bindings.records import conversion

        return conversion.from_feature_spec(spec)

    def to_feature_spec(self, io: Any = None) -> dict[str, Any]:
        """The feature spec, of tf.io's classes if `io` is that module, else of tuples like them."""
        from bindings.records import conversion

        return conversion.to_feature_spec(self, io)

    @staticmethod
    def from_dtype(dtype: Any) -> Schema:
        """The schema whose dense features are the fields of a numpy structured dtype, or
        TypeError."""
        from bindings.records import conversion

        return conversion.from_dtype(dtype)

    def to_dtype(self) -> Any:
        """The numpy structured dtype of a record; TypeError unless all are dense numbers."""
        from bindings.records import conversion

        return conversion.to_dtype(self)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The features in the order given, which is the order of the columns."""
        return self._fields

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return tuple(field.name for field in self._fields)

    @property
    def buffer(self) -> bytes:
        """The schema as a kernel reads it: the ck_field table, then the names."""
        return self._buffer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._fields == other._fields

    def __hash__(self) -> int:
        return hash(self._fields)

    def __reduce__(self) -> tuple[type[Schema], tuple[dict[str, Feature]]]:
        return Schema, (self._features(),)

    def __repr__(self) -> str:
        return f"Schema({self._features()})"

    def _features(self) -> dict[str, Feature]:
        return {
            name: kind if length is None else (kind, length) for name, kind, length in self._fields
        }


def _field(name: str, feature: Feature) -> Field:
    if not isinstance(name, str):
        raise TypeError(f"a feature's name must be a str, not {type(name).__name__}")
    kind, length = (feature, None) if isinstance(feature, str) else feature
    if kind not in _KINDS:
        raise ValueError(f"feature {name!r}: {kind!r} is none of {', '.join(_KINDS)}")
    if length is not None and not 0 <= operator.index(length) < 2**31:
        raise ValueError(f"feature {name!r}: a length of {length} is out of range")
    return Field(name, kind, length)


def _encode(fields: tuple[Field, ...]) -> bytes:
    table, names = b"", b""
    for field in fields:
        name = field.name.encode()
        at = _FIELD.size * len(fields) + len(names)
        dense, length = (0, 0) if field.length is None else (1, field.length)
        table += _FIELD.pack(at, len(name), _KINDS.index(field.kind) + 1, dense, length)
        names += name
    return table + names
