"""The results of a search after some damage, cached so that no byte is searched twice."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ffi_cookbook.bindings._glue.search import FOOTER, HEADER, Sums, mask_crc
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend, Int64Array
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.wire import crc32c, is_header

_BLOCK = 4096  # bytes summed by one call


class Ahead:
    """The good records from a damaged one on, and the damage between them.

    A reader that met one forged header after the other, each of which claims much of the file,
    would compute the CRC of every claim. So the window is cut at the end of each run of good
    records, and the damage that follows is already known.

    Attributes:
        stop: the byte of the stream where the search ended.
        most: the number of records that the search could find.
    """

    def __init__(
        self, backend: Backend, data: memoryview, ended: bool, cursor: Cursor, most: int
    ) -> None:
        self._backend, self._data, self._ended, self.most = backend, data, ended, most
        self._sums = Sums(crc32c, data, cursor.position, _BLOCK)
        spans, at = np.empty((most, 2), np.int64), cursor.copy()
        at.rows = 0
        n = backend.index_records(data, spans, at.array, True, ended, True)
        self.stop = at.offset
        self._runs = _runs_of(spans[:n])
        self._starts = [start for start, _ in self._runs]

    def next_good(self, place: int) -> int | None:
        """Return the start of the first good record at or after a byte of the stream, if known."""
        number = bisect_right(self._starts, place - 1)
        return self._starts[number] if number < len(self._starts) else None

    def next_damage(self, place: int) -> int:
        """Return the end of the run of good records around a byte, or the byte if there is none."""
        number = bisect_right(self._starts, place) - 1
        return max(place, self._runs[number][1]) if number >= 0 else place

    def fault(self, cursor: Cursor) -> RecordError | None:
        """Return the error that a kernel would raise for the damaged record at the cursor."""
        base, position, record = cursor.base, cursor.position, cursor.record
        header = bytes(self._data[position : position + HEADER])
        start = position + HEADER
        end = start + int.from_bytes(header[:8], "little")
        if end + FOOTER <= len(self._data) and is_header(header):
            expected = int.from_bytes(self._data[end : end + FOOTER], "little")
            actual = mask_crc(self._sums.crc(start, end))
            return RecordError(Code.DATA_CRC, None, base + start, record, None, expected, actual)
        try:
            span, at = np.empty((1, 2), np.int64), cursor.copy()
            at.rows = 0
            self._backend.index_records(self._data, span, at.array, True, self._ended)
        except RecordError as error:
            return error
        return None  # another thread has changed the memory


def _runs_of(spans: Int64Array) -> list[tuple[int, int]]:
    """Return [start, end) of every run of records without a gap, framing included."""
    if not len(spans):
        return []
    starts, ends = spans[:, 0] - HEADER, spans.sum(axis=1) + FOOTER
    breaks = np.flatnonzero(starts[1:] != ends[:-1])
    firsts, lasts = [0, *(breaks + 1)], [*breaks, len(spans) - 1]
    return list(zip(starts[firsts].tolist(), ends[lasts].tolist(), strict=True))
