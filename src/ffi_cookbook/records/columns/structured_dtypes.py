"""The conversion of schemas from and to NumPy's structured dtypes."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ffi_cookbook.records.columns.fields import Feature, Kind
from ffi_cookbook.records.columns.schema import Schema


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
        features[name] = cast("Kind", base.name), shape or 1
    return Schema(features)


def to_dtype(schema: Schema) -> np.dtype[Any]:
    """See `Schema.to_dtype`."""
    if schema.sequence:
        raise TypeError(f"feature {schema.sequence[0].name!r}: no dtype holds a list of steps")
    for name, kind, length in schema.fields:
        if length is None or kind in ("bytes", "span"):
            raise TypeError(f"feature {name!r}: its size differs by record, so no dtype holds it")
    return np.dtype([(n, kind, schema.shapes.get(n, (size,))) for n, kind, size in schema.fields])
