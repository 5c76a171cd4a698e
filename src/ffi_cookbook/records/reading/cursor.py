"""The place of a reader in a stream, as kernels move it and as a caller keeps it."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array


class _Number:
    """One number of a cursor's array, as a Python int."""

    def __init__(self, place: int) -> None:
        self._place = place

    def __get__(self, cursor: Cursor, _: type[Cursor] | None = None) -> int:
        return int(cursor.array[self._place])

    def __set__(self, cursor: Cursor, value: int) -> None:
        cursor.array[self._place] = value


class Cursor:
    """The place of a reader in a stream: the int64 array that a kernel reads and moves forward.

    Attributes:
        array: the four numbers below, as the kernels take them.
        base: the place in the stream of the first byte of the data.
        position: the place in the data of the next record.
        record: the number of the next record in the stream.
        rows: the number of rows that are filled.
    """

    base, position, record, rows = _Number(0), _Number(1), _Number(2), _Number(3)

    def __init__(self, record: int = 0) -> None:
        self.array: Int64Array = np.array([0, 0, record, 0], np.int64)

    @property
    def offset(self) -> int:
        """The place in the stream of the next record."""
        return self.base + self.position

    def copy(self) -> Self:
        """Return a cursor that stays where this one is now."""
        other = type(self)()
        other.array[:] = self.array
        return other

    def move(self, other: Cursor) -> None:
        """Move to the place of another cursor."""
        self.array[:] = other.array


class Position(NamedTuple):
    """The position of a reader: the whole state that it needs to continue."""

    shard: int = 0  # the number of the file
    byte_offset: int = 0  # in the (decompressed) file
    record: int = 0  # the number of the next record in the file


START = Position()


def checked_start(start: Iterable[int], n_files: int) -> Position:
    """Return `start` as a Position.

    Raises:
        ValueError: there is no such place in `n_files` files.
    """
    begin = Position(*map(operator.index, start))
    if min(begin) < 0 or max(begin) >= 2**62 or begin.shard > max(n_files - 1, 0):
        raise ValueError(f"{begin} is nowhere in {n_files} files")
    return begin
