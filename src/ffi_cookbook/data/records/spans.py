"""Spans: where every record of some files is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.shared_memory import SharedArray


class Spans(NamedTuple):
    """The place of every record: the number of its file, its offset and its size, 24 bytes each.

    Attributes:
        table: (records, 3), in the order of the files.
        rows: for each file, the first of its rows in the table.
        skipped: for each file, the number of its records before that row.
    """

    table: SharedArray
    rows: Int64Array
    skipped: Int64Array

    @classmethod
    def of(cls, files: list[Int64Array]) -> Spans:
        """Return the spans of these files, each (n, 2), offset and size."""
        sizes = [len(spans) for spans in files]
        numbers = np.repeat(np.arange(len(files)), sizes)
        places = np.concatenate([np.empty((0, 2), np.int64), *files])
        rows = np.cumsum([0, *sizes])[:-1]
        return cls(SharedArray(np.column_stack([numbers, places])), rows, np.zeros_like(rows))

    def part(self, start: int, end: int) -> Spans:
        """Return the spans of rows [start, end), for the same files."""
        table = SharedArray(self.table.array[start:end])
        skipped = self.skipped + np.maximum(start - self.rows, 0)
        return Spans(table, np.clip(self.rows - start, 0, len(table.array)), skipped)

    def followed_by(self, other: Spans) -> Spans:
        """Return these spans and those of other files."""
        behind = other.table.array + np.array([len(self.rows), 0, 0])
        table = SharedArray(np.concatenate([self.table.array, behind]))
        rows = np.append(self.rows, other.rows + len(self.table.array))
        return Spans(table, rows, np.append(self.skipped, other.skipped))

    def record_in_file(self, row: int) -> int:
        """Return the number of a record among those of its file."""
        file = int(self.table.array[row, 0])
        return row - int(self.rows[file]) + int(self.skipped[file])
