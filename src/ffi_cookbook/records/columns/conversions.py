"""The conversions of a schema from and to other descriptions of records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ffi_cookbook.records.columns.schema import Schema


class Conversions:
    """The methods of a `Schema` that deal with records, TensorFlow and NumPy."""

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

    @staticmethod
    def from_feature_spec(
        spec: Mapping[str, Any], *, sequence: Mapping[str, Any] | None = None
    ) -> Schema:
        """Return the schema of a TensorFlow feature spec.

        A FixedLenFeature is dense, of its shape, and optional if it has a default_value; a
        VarLenFeature, a RaggedFeature and a FixedLenSequenceFeature of shape [] are ragged.
        `sequence` is the spec of the feature lists, where a FixedLenSequenceFeature has dense
        steps. TensorFlow is not needed: any object with these attributes will do.

        Raises:
            ValueError: the spec has a part that cannot be honoured: a dtype other than string,
                float32 or int64; a SparseFeature; partitions; a value_key; a
                FixedLenSequenceFeature that does not allow missing ones, has a default_value, or
                groups values that are not steps.
        """
        from ffi_cookbook.records.columns import feature_specs

        return feature_specs.from_feature_spec(spec, sequence or {})

    def to_feature_spec(self: Any, io: Any = None) -> dict[str, Any]:
        """Return the feature spec of the features.

        It is made of the classes of tf.io if `io` is that module, else of tuples like them.
        """
        from ffi_cookbook.records.columns import feature_specs

        return feature_specs.to_feature_spec(self, io)

    def to_sequence_spec(self: Any, io: Any = None) -> dict[str, Any]:
        """Return the feature spec of the feature lists, like `to_feature_spec`."""
        from ffi_cookbook.records.columns import feature_specs

        return feature_specs.to_sequence_spec(self, io)

    @staticmethod
    def from_dtype(dtype: Any) -> Schema:
        """Return the schema whose dense features are the fields of a numpy structured dtype.

        Raises:
            TypeError: the dtype is not structured, or no column can hold a field.
        """
        from ffi_cookbook.records.columns import structured_dtypes as conversion

        return conversion.from_dtype(dtype)

    def to_dtype(self: Any) -> Any:
        """Return the numpy structured dtype of a record.

        Raises:
            TypeError: a feature is not dense numbers.
        """
        from ffi_cookbook.records.columns import structured_dtypes as conversion

        return conversion.to_dtype(self)
