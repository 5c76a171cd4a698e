"""Schemas from elsewhere: TensorFlow's feature specs, numpy's dtypes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from bindings.records.fields import Feature, Field, Kind
from bindings.records.schema import Schema

# ---- TensorFlow's feature specs ---------------------------------------------------------------


class FixedLenFeature(NamedTuple):
    """A dense feature, as tf.io.FixedLenFeature says it."""

    shape: list[int]
    dtype: str
    default_value: Any = None


class FixedLenSequenceFeature(NamedTuple):
    """A feature list with dense steps, as tf.io.FixedLenSequenceFeature says it."""

    shape: list[int]
    dtype: str
    allow_missing: bool = False
    default_value: Any = None


class RaggedFeature(NamedTuple):
    """A ragged feature, as tf.io.RaggedFeature says it."""

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
    return Schema(
        {
            name: _from_tf(name, feature, not hasattr(feature, "allow_missing"))
            for name, feature in spec.items()
        },
        sequence={name: _from_tf(name, feature, True) for name, feature in sequence.items()},
    )


def _from_tf(name: str, feature: Any, dense: bool) -> Feature:
    dtype = getattr(feature.dtype, "name", feature.dtype)
    if dtype not in _KINDS_OF_TF:
        raise ValueError(f"feature {name!r}: no tf.train.Example holds {dtype}")
    kind = _KINDS_OF_TF[dtype]
    if getattr(feature, "default_value", None) is not None:
        raise ValueError(f"feature {name!r}: a missing value has no default here")
    if getattr(feature, "value_key", None) not in (None, name) or getattr(
        feature, "partitions", None
    ):
        raise ValueError(f"feature {name!r}: only ragged features of one key, without partitions")
    if dense and hasattr(feature, "shape"):
        return kind, math.prod(map(int, feature.shape))
    return kind


def to_feature_spec(schema: Schema, io: Any) -> dict[str, Any]:
    """See `Schema.to_feature_spec`."""
    fixed = io.FixedLenFeature if io else FixedLenFeature
    return _to_tf(schema.fields, io, fixed)


def to_sequence_spec(schema: Schema, io: Any) -> dict[str, Any]:
    """See `Schema.to_sequence_spec`. A missing list is an empty one here."""
    fixed = io.FixedLenSequenceFeature if io else FixedLenSequenceFeature
    return _to_tf(schema.sequence, io, partial(fixed, allow_missing=True))


def _to_tf(fields: tuple[Field, ...], io: Any, fixed: Callable[..., Any]) -> dict[str, Any]:
    ragged = io.RaggedFeature if io else RaggedFeature
    return {
        name: ragged(_TF_DTYPES[kind])
        if length is None
        else fixed([] if length == 1 else [length], _TF_DTYPES[kind])
        for name, kind, length in fields
    }


# ---- numpy's dtypes ---------------------------------------------------------------------------


def from_dtype(dtype: npt.DTypeLike) -> Schema:
    """See `Schema.from_dtype`."""
    structured = np.dtype(dtype)
    if structured.names is None:
        raise TypeError(f"the dtype must be structured: {structured}")
    features: dict[str, Feature] = {}
    for name in structured.names:
        base, shape = structured[name].subdtype or (structured[name], ())
        if base.name not in ("float32", "int64", "int32", "uint16"):
            raise TypeError(f"feature {name!r}: no column can hold {base}")
        features[name] = cast("Kind", base.name), math.prod(shape)
    return Schema(features)


def to_dtype(schema: Schema) -> np.dtype[Any]:
    """See `Schema.to_dtype`."""
    if schema.sequence:
        raise TypeError(f"feature {schema.sequence[0].name!r}: no dtype holds a list of steps")
    for name, kind, length in schema.fields:
        if length is None or kind in ("bytes", "span"):
            raise TypeError(f"feature {name!r}: no dtype has its size, which differs by record")
    return np.dtype([(name, kind, (length,)) for name, kind, length in schema.fields])
