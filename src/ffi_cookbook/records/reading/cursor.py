"""The place of a reader in a stream, with a name for each of its numbers."""

from __future__ import annotations

from typing import Self

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
