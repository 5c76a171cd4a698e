"""The rows of an optional dense feature, with its default where a record lacks it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.records.columns.fields import Default, Field

Parts = list[npt.NDArray[Any]]


def filled(field: Field, parts: Parts, default: Default) -> Parts:
    """Return the parts of a dense column, on the same memory if no record lacks the feature.

    Args:
        parts: the parts of a ragged column, whose rows have `field.length` values or none.
    """
    *values, offsets = parts
    length = field.length or 0
    lacking = np.flatnonzero(np.diff(offsets) == 0) if length else np.empty(0, np.int64)
    if not len(lacking):
        return values
    if field.kind == "bytes":
        return _filled_bytes(values, offsets[lacking], length, default)
    rows = np.empty((len(offsets) - 1, length), values[0].dtype)
    rows[np.diff(offsets) == length] = values[0].reshape(-1, length)
    rows[lacking] = default
    return [rows.reshape(-1)]


def _filled_bytes(parts: Parts, places: Any, length: int, default: Default) -> Parts:
    """Return the same for byte strings.

    `places` has, for each row without strings, the number of the string before which they go.
    """
    data, value_offsets = parts
    strings = default if isinstance(default, tuple) else (default,) * length
    row = np.frombuffer(b"".join(strings), np.uint8)  # type: ignore[arg-type]
    pieces = [row] * (2 * len(places) + 1)
    pieces[::2] = np.split(data, value_offsets[places])
    sizes = [len(string) for string in strings]  # type: ignore[arg-type]
    all_sizes = np.insert(
        np.diff(value_offsets), np.repeat(places, length), np.tile(sizes, len(places))
    )
    return [np.concatenate(pieces), np.concatenate([[0], np.cumsum(all_sizes)])]
