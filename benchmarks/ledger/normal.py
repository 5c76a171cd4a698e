"""Answers of any form as lists of arrays, so that they can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook.records import Batch, Ragged


def normal(result: Any) -> list[Any]:
    """Return an answer of any form as a list of arrays."""
    if hasattr(result, "ids"):  # HF tokenizers
        result = result.ids
    if isinstance(result, list) and isinstance(result[0], dict):  # tfrecord: a dict for each record
        columns = {name: [np.atleast_1d(row[name]) for row in result] for name in result[0]}
        return [np.concatenate(columns[name]) for name in sorted(columns)]
    if isinstance(result, dict | Batch):
        return [_flat(result[name]) for name in sorted(result)]
    return [np.asarray(result)]


def _flat(column: Any) -> Any:
    values = column.values if isinstance(column, Ragged) else column
    values = values[0] if isinstance(values, tuple) else values
    return np.asarray(values).reshape(-1)


def same(one: list[Any], other: list[Any]) -> bool:
    """Return True if two lists have equal arrays."""
    return len(one) == len(other) and all(map(np.array_equal, one, other))
