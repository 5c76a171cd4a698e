"""Ragged columns: any number of values in each row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bindings.protocol import Int64Array, Uint8Array
from bindings.records.fields import Field


class _Rows:
    """The base of ragged columns: row i is [offsets[i], offsets[i + 1])."""

    __slots__ = ()
    offsets: Int64Array

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def _offsets_of(self, rows: slice) -> Int64Array:
        start, stop, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(f"rows can be sliced in steps of 1 only, not {step}")
        return self.offsets[start : max(start, stop) + 1]

    def _bounds(self, row: int) -> tuple[int, int]:
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        row %= len(self)
        return int(self.offsets[row]), int(self.offsets[row + 1])


@dataclass(frozen=True, slots=True, eq=False)
class Ragged(_Rows):
    """A column of numbers, any number in each row: row i is values[offsets[i]:offsets[i + 1]].

    The values of a feature list are its steps: an array with a row for each, or again a `Ragged` or
    a `RaggedBytes`. A slice of rows is a column on the same memory.
    """

    values: npt.NDArray[Any] | Ragged | RaggedBytes
    offsets: Int64Array

    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            return Ragged(self.values, self._offsets_of(row))
        start, end = self._bounds(row)
        return self.values[start:end]

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def to_list(self) -> list[list[Any]]:
        """Return the rows as lists."""
        return [row.tolist() if isinstance(row, np.ndarray) else row.to_list() for row in self]


@dataclass(frozen=True, slots=True, eq=False)
class RaggedBytes(_Rows):
    """A column of byte strings, any number in each row.

    Row i has the strings offsets[i] to offsets[i + 1]; string j is
    data[value_offsets[j]:value_offsets[j + 1]].
    """

    data: Uint8Array
    value_offsets: Int64Array
    offsets: Int64Array

    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            return RaggedBytes(self.data, self.value_offsets, self._offsets_of(row))
        start, end = self._bounds(row)
        ends = self.value_offsets[start : end + 1].tolist()
        return [self.data[a:b].tobytes() for a, b in pairwise(ends)]

    def __iter__(self) -> Iterator[Any]:
        return (self[row] for row in range(len(self)))

    def to_list(self) -> list[list[bytes]]:
        """Return the rows as lists."""
        return list(self)


def padded(column: Ragged, fill: Any = 0) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return a ragged column of numbers as a matrix, and a mask of the same shape.

    The matrix has a row for each row of the column, filled up to the longest row with `fill`; the
    mask is True where there is a value.
    """
    values, offsets = column.values, column.offsets
    if not isinstance(values, np.ndarray) or values.ndim != 1:
        raise TypeError("column must be a Ragged of numbers, one value beside the other")
    sizes = np.diff(offsets)
    mask = np.arange(sizes.max(initial=0)) < sizes[:, None]
    matrix = np.full(mask.shape, fill, values.dtype)
    matrix[mask] = values[offsets[0] : offsets[-1]]
    return matrix, mask


def dense_column(
    field: Field, parts: list[npt.NDArray[Any]], rows: int
) -> npt.NDArray[Any] | RaggedBytes:
    """Return a column of `rows` rows with `field.length` values each."""
    if field.kind != "bytes":
        return parts[0]
    data, value_offsets = parts
    return RaggedBytes(data, value_offsets, np.arange(rows + 1) * (field.length or 0))


def ragged_column(field: Field, parts: list[npt.NDArray[Any]]) -> Ragged | RaggedBytes:
    """Return a column of any number of values in each row from its arrays."""
    return RaggedBytes(*parts) if field.kind == "bytes" else Ragged(*parts)
