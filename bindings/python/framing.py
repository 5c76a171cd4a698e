"""TFRecord frames: one record after the other, each checked before its payload is used."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ffi_cookbook.bindings._glue.search import FOOTER, HEADER, LIMIT, mask_crc
from ffi_cookbook.bindings.errors import Code, record_error
from ffi_cookbook.bindings.protocol import Int64Array


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


# ---- CRC-32C ----------------------------------------------------------------------------------


def _table_entry(crc: int) -> int:
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc


_TABLE = [_table_entry(byte) for byte in range(256)]


def crc32c(data: bytes | memoryview, before: int = 0) -> int:
    """Return the Castagnoli CRC, not masked: crc32c(b"123456789") == 0xe3069283.

    `before` is the CRC of the bytes before the data.
    """
    crc = before ^ 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked_crc(data: bytes | memoryview) -> int:
    """Return the CRC as TFRecord stores it."""
    return mask_crc(crc32c(data))


# ---- frames -----------------------------------------------------------------------------------


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


def next_frame(view: memoryview, position: int, verify: bool, final: bool) -> Frame | None:
    """Return the record at `position`, or None when the rest of the buffer holds none."""

    def partial(code: Code, offset: int, expected: int, actual: int) -> None:
        if final:  # else the rest of the record may still come
            raise Fault(code, offset, expected, actual)

    def check(code: Code, offset: int, data: memoryview, stored: memoryview) -> None:
        expected, actual = int.from_bytes(stored, "little"), masked_crc(data)
        if expected != actual:
            raise Fault(code, offset, expected, actual)

    left = len(view) - position
    if left == 0:
        return None
    if left < HEADER:
        partial(Code.TRUNCATED_HEADER, position, HEADER, left)
        return None

    header = view[position : position + HEADER]
    if verify:
        check(Code.LENGTH_CRC, position, header[:8], header[8:])
    size = int.from_bytes(header[:8], "little")
    if size > LIMIT:
        signed = int.from_bytes(header[:8], "little", signed=True)
        raise Fault(Code.LENGTH_LIMIT, position, LIMIT, signed)

    start, left = position + HEADER, left - HEADER
    if size > left:
        partial(Code.TRUNCATED_DATA, start, size, left)
        return None
    end, left = start + size, left - size
    if left < FOOTER:
        partial(Code.TRUNCATED_FOOTER, end, FOOTER, left)
        return None
    if verify:
        check(Code.DATA_CRC, start, view[start:end], view[end : end + FOOTER])
    return Frame(start, end)
