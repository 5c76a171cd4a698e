"""Schema: the features to decode, and what is expected of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from bindings.records.fields import Feature, Field, Form, columns_of, encode, features_of, field_of


class Schema:
    """The features to decode, by name.

        Schema({"label": "int64", "pixels": ("float32", 784), "tags": "bytes"})
        Schema({"label": ("int64", 1)}, sequence={"frames": "float32", "ids": ("int64", 1)})

    A kind alone makes a ragged column: any number of values a record, none where the feature is
    missing. (kind, n) makes a dense one: exactly n values, everything else is an error.

    "int32" and "uint16" are int64 features whose values are checked to fit. "span" is a bytes
    feature of which nothing is copied: (offset, size) of each value in the (decompressed) file.

    The features of a tf.train.SequenceExample's context are those of an Example. `sequence` are its
    feature lists: any number of steps a record, none where the list is missing, and in each step
    any number of values, or exactly n >= 1 of them.

    Immutable, hashable, and pickles.
    """

    __slots__ = ("_buffer", "_columns", "_fields", "_sequence")

    def __init__(
        self, features: Mapping[str, Feature], *, sequence: Mapping[str, Feature] | None = None
    ) -> None:
        self._fields = tuple(field_of(name, feature) for name, feature in features.items())
        lists = {} if sequence is None else sequence
        self._sequence = tuple(field_of(name, feature) for name, feature in lists.items())
        for name, _, length in self._sequence:
            if name in features:
                raise ValueError(f"feature {name!r}: a batch has one column of a name, not two")
            if length == 0:
                raise ValueError(f"feature {name!r}: the steps of a list need a value each")
        self._columns = tuple(columns_of(self._fields, self._sequence))
        self._buffer = encode(self._columns)

    @staticmethod
    def infer(source: Any, *, records: int = 1000, compression: Any = "infer") -> Schema:
        """The schema of a TFRecord file, from its first `records` records.

        A feature that each of them has, with the same number of values, becomes dense, every other
        one ragged; of a feature list likewise the steps; the names are sorted. `source` and
        `compression` are those of `read`.

        Raises:
            ValueError: a feature of two kinds, or no record.
            RecordError: a bad record.
        """
        from bindings.records import inference

        return inference.infer(source, records, compression)

    @staticmethod
    def from_feature_spec(
        spec: Mapping[str, Any], *, sequence: Mapping[str, Any] | None = None
    ) -> Schema:
        """The schema of a TensorFlow feature spec: FixedLenFeature is dense, of as many values as
        its shape has; VarLenFeature, RaggedFeature and FixedLenSequenceFeature are ragged;
        `sequence` is the spec of the feature lists, where the last of these has dense steps.
        TensorFlow is not needed: what counts is `dtype`, `shape` and `allow_missing`.

        Raises:
            ValueError: another dtype than string, float32, int64; a default; partitions.
        """
        from bindings.records import conversion

        return conversion.from_feature_spec(spec, sequence or {})

    def to_feature_spec(self, io: Any = None) -> dict[str, Any]:
        """The feature spec, of tf.io's classes if `io` is that module, else of tuples like them."""
        from bindings.records import conversion

        return conversion.to_feature_spec(self, io)

    def to_sequence_spec(self, io: Any = None) -> dict[str, Any]:
        """The same of the feature lists."""
        from bindings.records import conversion

        return conversion.to_sequence_spec(self, io)

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
    def sequence(self) -> tuple[Field, ...]:
        """The feature lists, whose columns follow; `length` is that of a step."""
        return self._sequence

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features and of the feature lists."""
        return tuple(field.name for field in self._fields + self._sequence)

    @property
    def columns(self) -> tuple[tuple[Field, Form], ...]:
        """What a kernel fills, in the order of its table. A list whose steps have any number of
        values has two: all values, and where each step's values end."""
        return self._columns

    @property
    def buffer(self) -> bytes:
        """The schema as a kernel reads it: the ck_field table, then the names."""
        return self._buffer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._columns == other._columns

    def __hash__(self) -> int:
        return hash(self._columns)

    def __reduce__(self) -> tuple[partial[Schema], tuple[dict[str, Feature]]]:
        return partial(Schema, sequence=features_of(self._sequence)), (features_of(self._fields),)

    def __repr__(self) -> str:
        lists = f", sequence={features_of(self._sequence)}" if self._sequence else ""
        return f"Schema({features_of(self._fields)}{lists})"
