"""TFRecord framing: one record after the other, each checked before it is believed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bindings.errors import Code, record_error
from bindings.protocol import Int64Array

HEADER, FOOTER = 12, 4
LIMIT = 2**63 - 1 - HEADER - FOOTER


class Fault(Exception):
    """What is wrong with the data: a `ck_error` whose offset is within the buffer."""

    def __init__(
        self, code: Code, offset: int, expected: int = 0, actual: int = 0, field: int = -1
    ) -> None:
        self.code, self.offset, self.field = code, offset, field
        self.expected, self.actual = expected, actual

    def exception(
        self, cursor: Int64Array, schema: bytes = b"", record: int | None = None
    ) -> Exception:
        """What the caller sees, the cursor standing before the record that failed."""
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


def crc32c(data: bytes | memoryview) -> int:
    """The Castagnoli CRC, not masked: crc32c(b"123456789") == 0xe3069283."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def masked_crc(data: bytes | memoryview) -> int:
    """The CRC as TFRecord stores it."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


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
        """Commits the next record, `size` bytes in all."""
        self.record += 1
        self.rows += 1
        self.skip(size)

    def fill_row(self) -> None:
        """Commits a record that is not the next one of the buffer."""
        self.rows += 1
        self._array[3] = self.rows

    def skip(self, size: int) -> None:
        """Steps over bytes that are no record."""
        self.position += size
        self._array[:] = self.base, self.position, self.record, self.rows


class Frame(NamedTuple):
    """Where a record's data lies in the buffer."""

    start: int
    end: int


def next_frame(view: memoryview, position: int, verify: bool, final: bool) -> Frame | None:
    """The record at `position`, or None when the rest of the buffer holds none."""

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


def frame_of_span(view: memoryview, base: int, offset: int, size: int, verify: bool) -> Frame:
    """The record whose data an index says to lie at `offset` of the file."""
    position = offset - base - HEADER
    if position < 0:
        raise Fault(Code.ARGUMENT, 0)
    frame = next_frame(view, position, verify, True) if position < len(view) else None
    if frame is None:
        raise Fault(Code.TRUNCATED_HEADER, position, HEADER, 0)
    if frame.end - frame.start != size:
        raise Fault(Code.STALE_INDEX, position, size, frame.end - frame.start)
    return frame


def next_good_frame(view: memoryview, state: Cursor, final: bool) -> Frame | None:
    """The first record from the cursor on that is not damaged; the cursor moves to its header."""
    while True:
        try:
            return next_frame(view, state.position, True, final)
        except Fault as fault:
            step = _step_over(view, state.position, fault.code, final)
        if step is None:
            return None
        state.skip(step)


def _step_over(view: memoryview, position: int, code: Code, final: bool) -> int | None:
    """How far to go on from a damaged record. If another one follows where it claims to end, only
    its data is damaged; else nothing it says is worth believing, and a record may begin at any
    byte. None: what follows has not been read yet."""
    if code != Code.DATA_CRC:
        return 1
    size = HEADER + int.from_bytes(view[position : position + 8], "little") + FOOTER
    behind = view[position + size :]
    if len(behind) < HEADER and not final:
        return None
    stored = int.from_bytes(behind[8:HEADER], "little")
    followed = len(behind) >= HEADER and masked_crc(behind[:8]) == stored
    return size if followed or not behind else 1
