"""TFRecord frames in Python: one record after the other, each checked before its payload is used.

python and numpy compute the checksums and look for headers in ways of their own, and hand them in.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view
from ffi_cookbook.bindings._glue.records import checked, refuse_overlap
from ffi_cookbook.bindings._glue.search import (
    FOOTER,
    HEADER,
    LIMIT,
    Crc32c,
    FindHeader,
    Search,
    mask_crc,
)
from ffi_cookbook.bindings.errors import Code, record_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array


class Fault(Exception):
    """A fault of the data: a `ck_error` whose offset is within the buffer."""

    def __init__(
        self, code: Code, offset: int, expected: int = 0, actual: int = 0, field: int = -1
    ) -> None:
        self.code, self.offset, self.field = code, offset, field
        self.expected, self.actual = expected, actual

    def exception(
        self, cursor: Int64Array, schema: bytes = b"", record: int | None = None
    ) -> Exception:
        """Return the exception for the caller; the cursor is before the record that failed."""
        if self.code == Code.ARGUMENT:
            return record_error((Code.ARGUMENT, 0, 0, -1, 0, 0))
        base, _, next_record, _ = cursor.tolist()
        where = base + self.offset, next_record if record is None else record, self.field
        return record_error((self.code, *where, self.expected, self.actual), schema)


class Cursor:
    """The four numbers of a reader's state, as Python ints."""

    def __init__(self, array: Int64Array, size: int, max_rows: int) -> None:
        self._array = array
        numbers: list[int] = array.tolist()
        self.base, self.position, self.record, self.rows = numbers
        if (
            min(numbers) < 0
            or self.position > size
            or self.rows > max_rows
            or max(self.base, self.record) > np.iinfo(np.int64).max - size
        ):
            raise Fault(Code.ARGUMENT, 0)

    def advance(self, size: int) -> None:
        """Commit the next record, whose frame has `size` bytes, and move past it."""
        self.record += 1
        self.rows += 1
        self.skip(size)

    def fill_row(self) -> None:
        """Commit a record that is not the next one of the buffer."""
        self.rows += 1
        self._array[3] = self.rows

    def skip(self, size: int) -> None:
        """Move over bytes without counting a record."""
        self.position += size
        self._array[:] = self.base, self.position, self.record, self.rows


class Frame(NamedTuple):
    """The place of a record's data in the buffer."""

    start: int
    end: int


def next_frame(
    view: memoryview, position: int, verify: bool, final: bool, crc32c: Crc32c
) -> Frame | None:
    """Return the record at `position`, or None when the rest of the buffer holds none.

    If the buffer ends within a record, more bytes may come, unless it is the final one.
    """
    left = len(view) - position
    if left < HEADER:
        if final and left:
            raise Fault(Code.TRUNCATED_HEADER, position, HEADER, left)
        return None
    start, left = position + HEADER, left - HEADER
    if verify:
        _check(view, position, start - 4, Code.LENGTH_CRC, crc32c)
    size = int.from_bytes(view[position : position + 8], "little")
    if size > LIMIT:
        signed = int.from_bytes(view[position : position + 8], "little", signed=True)
        raise Fault(Code.LENGTH_LIMIT, position, LIMIT, signed)
    if size > left:
        if final:
            raise Fault(Code.TRUNCATED_DATA, start, size, left)
        return None
    end, left = start + size, left - size
    if left < FOOTER:
        if final:
            raise Fault(Code.TRUNCATED_FOOTER, end, FOOTER, left)
        return None
    if verify:
        _check(view, start, end, Code.DATA_CRC, crc32c)
    return Frame(start, end)


def _check(view: memoryview, start: int, end: int, code: Code, crc32c: Crc32c) -> None:
    """Compare the CRC of view[start:end] with the one stored after it."""
    stored = int.from_bytes(view[end : end + 4], "little")
    computed = mask_crc(crc32c(view[start:end]))
    if stored != computed:
        raise Fault(code, start, stored, computed)


def good_frame(search: Search, state: Cursor) -> Frame | None:
    """Move the cursor to the next good record and return its frame, or None if none is found."""
    search.position = state.position
    size = search.next_good()
    state.skip(search.position - state.position)
    start = state.position + HEADER
    return None if size is None else Frame(start, start + size)


def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool,
    final: bool,
    resync: bool,
    *,
    crc32c: Crc32c,
    find_header: FindHeader,
) -> int:
    """Find the frames of TFRecord data; see protocol.Backend."""
    with byte_view("buffer", buffer).data as view:
        spans, cursor = checked(
            spans=spans, cursor=cursor, verify=verify, final=final, resync=resync
        )
        refuse_overlap(buffer=view, spans=spans, cursor=cursor)
        try:
            state = Cursor(cursor, len(view), len(spans))
            search = Search(view, state.position, final, crc32c, find_header)
            while state.rows < len(spans):
                if resync:
                    frame = good_frame(search, state)
                else:
                    frame = next_frame(view, state.position, verify, final, crc32c)
                if frame is None:
                    break
                spans[state.rows] = state.base + frame.start, frame.end - frame.start
                state.advance(frame.end + FOOTER - state.position)
            return state.rows
        except Fault as fault:
            error = fault.exception(cursor)
    raise error
