"""The conversion of TensorFlow's feature specs to schemas."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from ffi_cookbook.records.columns.fields import Feature, Kind
from ffi_cookbook.records.columns.schema import Schema

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
