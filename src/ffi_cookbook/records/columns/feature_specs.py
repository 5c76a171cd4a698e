"""The conversion of schemas from and to TensorFlow's feature specs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.records.columns.fields import Feature, Field, Kind
from ffi_cookbook.records.columns.schema import Schema


class FixedLenFeature(NamedTuple):
    """A dense feature, with the fields of tf.io.FixedLenFeature."""

    shape: list[int]
    dtype: str
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """A feature list with dense steps, with the fields of tf.io.FixedLenSequenceFeature."""

    shape: list[int]
    dtype: str
    allow_missing: bool = False
    default_value: Any = None


class RaggedFeature(NamedTuple):
    """A ragged feature, with the field `dtype` of tf.io.RaggedFeature."""

    dtype: str


_TF_DTYPES: dict[Kind, str] = {
    "bytes": "string",
    "span": "string",
    "float32": "float32",
    "int64": "int64",
    "int32": "int64",
    "uint16": "int64",
}
_KINDS_OF_TF: dict[str, Kind] = {"string": "bytes", "float32": "float32", "int64": "int64"}


def from_feature_spec(spec: Mapping[str, Any], sequence: Mapping[str, Any]) -> Schema:
    """See `Schema.from_feature_spec`."""
    fixed = {name: f for name, f in spec.items() if not hasattr(f, "allow_missing")}
    values = {name: getattr(feature, "default_value", None) for name, feature in fixed.items()}
    return Schema(
        {name: _from_tf(name, feature, False) for name, feature in spec.items()},
        sequence={name: _from_tf(name, feature, True) for name, feature in sequence.items()},
        defaults={name: value for name, value in values.items() if value is not None},
    )


def _from_tf(name: str, feature: Any, is_list: bool) -> Feature:
    """Return an entry of a spec in the form that a Schema takes, or raise ValueError."""

    def refused(what: str) -> ValueError:
        return ValueError(f"feature {name!r}: {what}")

    kind = _kind_of_tf(name, feature.dtype)
    if hasattr(feature, "index_key"):
        raise refused("a SparseFeature cannot be decoded; ask for its index and value keys apart")
    if getattr(feature, "value_key", None) not in (None, name):
        raise refused(f"a value_key, {feature.value_key!r}, that is not the name")
    if getattr(feature, "partitions", None):
        raise refused("a RaggedFeature with partitions cannot be decoded")
    if not hasattr(feature, "shape"):
        return kind
    shape = _shape_of(name, feature.shape)
    if not hasattr(feature, "allow_missing"):
        if is_list:
            raise refused("a feature list is a FixedLenSequenceFeature, not a FixedLenFeature")
        return kind, shape
    if feature.default_value is not None:
        raise refused("rows are ragged here, so nothing is padded with a default_value")
    if not feature.allow_missing:
        raise refused("a missing one has no values here: allow_missing must be True")
    if is_list:
        return kind, shape or 1
    if math.prod(shape) != 1:
        raise refused(
            f"values in groups of shape {list(shape)} cannot be checked: shape must be []"
        )
    return kind


def _kind_of_tf(name: str, dtype: Any) -> Kind:
    """Return the kind of a dtype of TensorFlow or NumPy, or of a dtype's name."""
    found = getattr(dtype, "name", None) or dtype
    if not isinstance(found, str):
        try:
            found = np.dtype(found).name
        except TypeError:
            found = repr(dtype)
    if found.startswith(("str", "bytes", "object")):  # numpy's names of strings
        found = "string"
    if found not in _KINDS_OF_TF:
        raise ValueError(f"feature {name!r}: no tf.train.Example holds {found}")
    return _KINDS_OF_TF[found]


def _shape_of(name: str, shape: Any) -> tuple[int, ...]:
    """Return the tuple of a shape, which is an int, a list of ints or a TensorShape."""
    try:
        if hasattr(shape, "as_list"):
            shape = shape.as_list()
        return tuple(map(operator.index, shape if np.iterable(shape) else (shape,)))
    except (TypeError, ValueError):
        raise ValueError(f"feature {name!r}: a shape without unknown parts, not {shape}") from None


def to_feature_spec(schema: Schema, io: Any) -> dict[str, Any]:
    """See `Schema.to_feature_spec`."""
    fixed = io.FixedLenFeature if io else FixedLenFeature
    return _to_tf(schema, schema.fields, io, fixed)


def to_sequence_spec(schema: Schema, io: Any) -> dict[str, Any]:
    """See `Schema.to_sequence_spec`; a missing list is an empty one here."""
    fixed = io.FixedLenSequenceFeature if io else FixedLenSequenceFeature
    return _to_tf(schema, schema.sequence, io, partial(fixed, allow_missing=True))


def _to_tf(
    schema: Schema, fields: tuple[Field, ...], io: Any, fixed: Callable[..., Any]
) -> dict[str, Any]:
    ragged, spec = io.RaggedFeature if io else RaggedFeature, {}
    for name, kind, length in fields:
        if length is None:
            spec[name] = ragged(_TF_DTYPES[kind])
        else:
            default = schema.defaults.get(name)
            options = {} if default is None else {"default_value": default}
            shape = list(schema.shapes.get(name, (length,)))
            spec[name] = fixed(shape, _TF_DTYPES[kind], **options)
    return spec
