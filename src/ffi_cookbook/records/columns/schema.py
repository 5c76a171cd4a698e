"""Schema: the features to decode, and the form of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from ffi_cookbook.records.columns.fields import (
    Default,
    Feature,
    Field,
    columns_of,
    default_of,
    encode,
    features_of,
    field_of,
)


class Schema:
    """The features to decode, by name.

        Schema({"label": "int64", "pixels": ("float32", 784), "tags": "bytes"})
        Schema({"label": ("int64", 1)}, sequence={"frames": "float32", "ids": ("int64", 1)})

    A kind alone makes a ragged column: any number of values per record, none where the feature is
    missing. (kind, n) makes a dense column: exactly n values, any other number is an error. (kind,
    shape) gives it that shape after its first axis: ("float32", (28, 28)), ("int64", ()).

    `defaults` makes dense features optional: if one is missing or has no values, the row is its
    default, which is one value or n: Schema({"x": ("int64", 1)}, defaults={"x": -1}).

    "int32" and "uint16" are int64 features whose values are checked to fit. "span" is a bytes
    feature that is not copied: the column has (offset, size) of each value in the (decompressed)
    file.

    The context of a tf.train.SequenceExample is read like the features of an Example. `sequence`
    are its feature lists: any number of steps per record, none where the list is missing, and in
    each step any number of values, or exactly n >= 1.

    A schema is immutable and hashable, and can be pickled.

    Attributes:
        fields: the features in the order given, which is the order of the columns.
        sequence: the feature lists, whose columns come next; `length` is that of a step.
        columns: what a kernel fills, in the order of its table. A feature list with ragged steps
            has two columns: all values, and the end of each step's values.
        buffer: the schema as a kernel reads it: the ck_field table, then the names.
        shapes: the shapes of the dense features whose shape is not (length,).
        defaults: the defaults of the dense features that may be missing.
        found: True if `infer` found the names in records, so that none can be misspelt.
    """

    __slots__ = ("buffer", "columns", "defaults", "fields", "found", "sequence", "shapes")

    def __init__(
        self,
        features: Mapping[str, Feature],
        *,
        sequence: Mapping[str, Feature] | None = None,
        defaults: Mapping[str, Any] | None = None,
        found: bool = False,
    ) -> None:
        given, lists, fields = dict(features), dict(sequence or {}), dict[str, Field]()
        shapes, values = dict[str, tuple[int, ...]](), dict[str, Default]()
        for name, feature in (*given.items(), *lists.items()):
            fields[name], shape = field_of(name, feature)
            if shape is not None:
                shapes[name] = shape
        for name in lists:
            if name in given:
                raise ValueError(f"feature {name!r}: a batch has one column of a name, not two")
            if fields[name].length == 0:
                raise ValueError(f"feature {name!r}: the steps of a list need a value each")
        for name, value in (defaults or {}).items():
            if name not in given:
                raise ValueError(f"defaults: the schema has no feature {name!r}")
            values[name] = default_of(fields[name], value)
        self.fields = tuple(fields[name] for name in given)
        self.sequence = tuple(fields[name] for name in lists)
        self.shapes, self.defaults = MappingProxyType(shapes), MappingProxyType(values)
        self.columns = tuple(columns_of(self.fields, self.sequence, self.defaults))
        self.buffer = encode(self.columns)
        self.found = found

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features and of the feature lists."""
        return tuple(field.name for field in self.fields + self.sequence)

    @staticmethod
    def infer(
        source: Any,
        *,
        records: int | None = 1000,
        dense: bool = True,
        backend: Any = None,
        compression: Any = "infer",
        on_error: Any = "raise",
        report: Any = None,
    ) -> Schema:
        """Return a schema that reads these files, made from their records.

        The names and kinds are those of the first `records` records of each file. A feature that
        every record of all files has, with the same number of values, becomes dense, every other
        feature ragged; the same holds for the steps of a feature list. The names are sorted. For
        this, all files are read to their ends, as fast as `read` does.

        Args:
            source, backend, compression, on_error, report: as for `read`.
            records: the number of records of each file that are examined one by one, in Python.
                None examines all of them, so that a feature that only later records have is found
                too.
            dense: False makes everything ragged, and reads no more than `records` of each file.

        Raises:
            ValueError: a feature of two kinds, no record, or records that are not tf.train.Examples
                (`raw` reads them).
            RecordError: a bad record.

        Warns:
            UserWarning: a feature has no value in any record, so its kind is unknown, and the
                schema does not have it.
        """
        from ffi_cookbook.records.columns import inference

        return inference.infer(source, records, dense, backend, compression, on_error, report)

    def only(self, names: Iterable[str]) -> Schema:
        """Return a schema of some of the features and feature lists.

        Raises:
            KeyError: there is no feature of this name.
        """
        wanted = list(names)
        if unknown := [name for name in wanted if name not in self.names]:
            raise KeyError(unknown[0])

        def part(of: Mapping[str, Any]) -> dict[str, Any]:
            return {name: value for name, value in of.items() if name in wanted}

        options = {name: part(values) for name, values in self._options().items()}
        return Schema(part(features_of(self.fields, self.shapes)), **options, found=self.found)

    def _options(self) -> dict[str, Any]:
        sequence = features_of(self.sequence, self.shapes)
        options = {"sequence": sequence, "defaults": dict(self.defaults)}
        return {name: value for name, value in options.items() if value}

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, "found"):  # the last attribute
            raise AttributeError(f"{name} of a Schema cannot be changed: make another Schema")
        super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.columns, frozenset(self.shapes.items()), frozenset(self.defaults.items())

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(Schema, **self._options(), found=self.found)
        return make, (features_of(self.fields, self.shapes),)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self._options().items())
        return f"Schema({features_of(self.fields, self.shapes)}{options})"
