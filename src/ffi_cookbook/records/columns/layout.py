"""FixedLayout: how the records of a numpy structured dtype are split into columns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array

Columns: TypeAlias = dict[str, npt.NDArray[Any]]


class _Leaf(NamedTuple):
    """A scalar, or an array of scalars, of the dtype, with an offset for each struct around it."""

    name: str
    dtype: np.dtype[Any]
    unit: int  # number of bytes that are swapped together
    units: int  # number of these in the field
    offsets: list[int]
    outer: tuple[int, ...]  # shape of the array of structs
    inner: tuple[int, ...]  # shape of the array of scalars


class FixedLayout:
    """How the records of a numpy structured dtype are split into columns.

    A nested field is named with dots, "trade.price". A column has the shape of every array around
    it: 10 levels of (price, size) give "levels.price" and "levels.size", both (records, 10).
    """

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self.dtype = np.dtype(dtype)
        if self.dtype.names is None:
            raise TypeError(f"the dtype must be structured: {self.dtype}")
        if self.dtype.itemsize == 0:
            raise ValueError("the records of this dtype have no bytes")
        self._leaves = list(_leaves(self.dtype, "", [0], ()))
        if len(set(self.names)) < len(self.names):
            raise ValueError("two fields have the same name, with dots")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(leaf.name for leaf in self._leaves)

    def arena(self, max_records: int) -> tuple[Uint8Array, Int64Array]:
        """Return memory for the columns, and the ck_fixed_field table of their places in it."""
        table, words = [], 0
        for leaf in self._leaves:
            for offset in leaf.offsets:
                swap = not leaf.dtype.isnative
                table.append((offset, leaf.unit, leaf.units, swap, 8 * words))
                words += -(-leaf.unit * leaf.units * max_records // 8)
        memory = np.empty(words, np.int64).view(np.uint8)
        return memory, np.array(table, np.int64).reshape(-1, 5)

    def columns(self, memory: Uint8Array, table: Int64Array, rows: int) -> Columns:
        """Return the first `rows` rows as arrays on an arena; arrays of structs are copied."""
        result, starts = {}, iter(table[:, 4].tolist())
        for leaf in self._leaves:
            dtype, shape = leaf.dtype.newbyteorder("="), (rows, *leaf.inner)
            parts = [np.ndarray(shape, dtype, memory, next(starts)) for _ in leaf.offsets]
            if leaf.outer:
                column = np.empty((rows, len(parts), *leaf.inner), dtype)
                for i, part in enumerate(parts):
                    column[:, i] = part
                result[leaf.name] = column.reshape(rows, *leaf.outer, *leaf.inner)
            else:
                result[leaf.name] = parts[0]
        return result


def _leaves(
    dtype: np.dtype[Any], prefix: str, starts: list[int], outer: tuple[int, ...]
) -> Iterator[_Leaf]:
    """Yield the leaves of the structs that begin at `starts`."""
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2]  # type: ignore[index]
        base, shape = field.subdtype or (field, ())
        offsets = [start + offset for start in starts]
        if base.names is None:
            unit, per_scalar = _units(base)
            count = per_scalar * math.prod(shape)
            yield _Leaf(prefix + name, base, unit, count, offsets, outer, shape)
        else:
            structs = range(math.prod(shape))
            nested = [offset + base.itemsize * i for offset in offsets for i in structs]
            yield from _leaves(base, f"{prefix}{name}.", nested, outer + shape)


def _units(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the size of the unit that is byte-swapped, and the number of units in a scalar."""
    size = dtype.itemsize
    if dtype.kind in "SV" or (dtype.char in "gG" and dtype.isnative):  # "g": long double
        return 1, size
    if dtype.kind == "U":
        return 4, size // 4
    if dtype.kind in "biufmM" and size <= 8:
        return size, 1
    if dtype.kind == "c" and size <= 16:
        return size // 2, 2
    raise TypeError(f"no column can hold {dtype}")
