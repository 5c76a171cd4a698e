"""Ragged columns: any number of values in each row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from numbers import Number
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array
from ffi_cookbook.records.columns.fields import Field


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


Column: TypeAlias = npt.NDArray[Any] | Ragged | RaggedBytes


def arrays_of(column: Column) -> list[npt.NDArray[Any]]:
    """Return the arrays of a column, the innermost first: of values or data, then of offsets."""
    if isinstance(column, np.ndarray):
        return [column]
    parts = (getattr(column, name) for name in type(column).__match_args__)
    return [array for part in parts for array in arrays_of(part)]


def padded(
    column: Ragged | RaggedBytes, fill: Any = 0
) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return a ragged column as an array, filled up with `fill`, and a mask.

    Each ragged axis is as long as its longest row. The mask is True where there is a value; it has
    the ragged axes, and not those of values that have a shape:

        column                              array                           mask
        numbers                             (records, values)               the same
        steps of shape (2,)                 (records, steps, 2)             (records, steps)
        steps with any number of values     (records, steps, values)        the same
        byte strings                        (records, strings, bytes)       the same, of uint8

    Raises:
        TypeError: `column` is not a Ragged or a RaggedBytes, or `fill` is not a number.
        ValueError: the dtype of the values cannot hold `fill`; a float may be rounded.
    """
    if isinstance(column, RaggedBytes):
        column = Ragged(Ragged(column.data, column.value_offsets), column.offsets)
    if not isinstance(column, Ragged):
        raise TypeError(f"column must be a Ragged or a RaggedBytes, not {type(column).__name__}")
    offsets = column.offsets
    items, mask = column.values[offsets[0] : offsets[-1]], None
    if not isinstance(items, np.ndarray):
        items, mask = padded(items, fill)
    if not can_hold(items.dtype, fill):
        raise ValueError(f"fill must be a number that {items.dtype} can hold, not {fill}")
    sizes = np.diff(offsets)
    rows = np.arange(sizes.max(initial=0)) < sizes[:, None]
    return _spread(items, rows, fill), rows if mask is None else _spread(mask, rows, False)


def can_hold(dtype: np.dtype[Any], fill: Any) -> bool:
    """Return True if a dtype can hold a number; a float may be rounded.

    Raises:
        TypeError: `fill` is not a number.
    """
    if dtype.kind not in "biuf":
        return True
    if dtype.kind == "b":
        return in_range(fill, 0, 1, False)
    if dtype.kind == "f":
        return in_range(fill, float(np.finfo(dtype).min), float(np.finfo(dtype).max), True)
    return in_range(fill, np.iinfo(dtype).min, np.iinfo(dtype).max, False)


def in_range(fill: Any, lowest: float, highest: float, is_float: bool) -> bool:
    """Return True if integers or floats of this range have a number; a float may be rounded."""
    number = fill.item() if hasattr(fill, "item") else fill
    is_number: bool = isinstance(number, Number)
    if not is_number:
        raise TypeError(f"the value to fill up with must be a number, not {type(fill).__name__}")
    if isinstance(number, complex):
        return False
    if is_float:
        return bool(lowest <= number <= highest or number != number or abs(number) == math.inf)
    return bool(lowest <= number <= highest and number % 1 == 0)


def _spread(items: npt.NDArray[Any], rows: npt.NDArray[np.bool_], fill: Any) -> npt.NDArray[Any]:
    """Return the items at the places where `rows` is True, and `fill` elsewhere."""
    whole = np.full(rows.shape + items.shape[1:], fill, items.dtype)
    whole[rows] = items
    return whole


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
