"""Where schemas come from, and what they can be turned into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bindings.records.schema import Schema


class Conversions:
    """The part of a `Schema` that deals with records, TensorFlow and NumPy."""

    __slots__ = ()

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
        one ragged; of a feature list likewise the steps; the names are sorted. So all files are
        read through, as fast as `read` does.

        Args:
            source, backend, compression, on_error, report: as for `read`.
            records: records of each file whose features are looked at, one by one in Python. None
                looks at all of them, so that a feature that only later ones have is found too.
            dense: False makes everything ragged, and reads no more than `records` of each file.

        Raises:
            ValueError: a feature of two kinds, no record, or records that are not tf.train.Examples
                (`raw` reads them).
            RecordError: a bad record.

        Warns:
            UserWarning: a feature without a value in any record, whose kind nobody knows: the
                schema does not have it.
        """
        from bindings.records import inference

        return inference.infer(source, records, dense, backend, compression, on_error, report)

    @staticmethod
    def from_feature_spec(
        spec: Mapping[str, Any], *, sequence: Mapping[str, Any] | None = None
    ) -> Schema:
        """The schema of a TensorFlow feature spec.

        A FixedLenFeature is dense, of its shape, and optional if it has a default_value; a
        VarLenFeature, a RaggedFeature and a FixedLenSequenceFeature of shape [] are ragged.
        `sequence` is the spec of the feature lists, where a FixedLenSequenceFeature has dense
        steps. TensorFlow is not needed: any object with these attributes will do.

        Raises:
            ValueError: what cannot be honoured: another dtype than string, float32, int64; a
                SparseFeature; partitions; a value_key; a FixedLenSequenceFeature that does not
                allow missing ones, has a default_value, or groups values that are not steps.
        """
        from bindings.records import feature_specs

        return feature_specs.from_feature_spec(spec, sequence or {})

    def to_feature_spec(self: Any, io: Any = None) -> dict[str, Any]:
        """The feature spec, of tf.io's classes if `io` is that module, else of tuples like them."""
        from bindings.records import feature_specs

        return feature_specs.to_feature_spec(self, io)

    def to_sequence_spec(self: Any, io: Any = None) -> dict[str, Any]:
        """The same of the feature lists."""
        from bindings.records import feature_specs

        return feature_specs.to_sequence_spec(self, io)

    @staticmethod
    def from_dtype(dtype: Any) -> Schema:
        """The schema whose dense features are the fields of a numpy structured dtype, or
        TypeError."""
        from bindings.records import conversion

        return conversion.from_dtype(dtype)

    def to_dtype(self: Any) -> Any:
        """The numpy structured dtype of a record; TypeError unless all are dense numbers."""
        from bindings.records import conversion

        return conversion.to_dtype(self)
