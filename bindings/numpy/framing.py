"""TFRecord frames for the NumPy binding: one record after the other, in Python."""

from __future__ import annotations

from typing import NamedTuple

from ffi_cookbook.bindings._glue.crc import masked_crc
from ffi_cookbook.bindings._glue.search import FOOTER, HEADER, LIMIT
from ffi_cookbook.bindings.errors import Code, record_error
from ffi_cookbook.bindings.protocol import Int64Array

INT64_MAX = 2**63 - 1


class Fault(NamedTuple):
    """A fault of the data or, with ARGUMENT, of the tables."""

    code: Code
    offset: int = 0  # within the buffer
    expected: int = 0
    actual: int = 0

    def exception(self, cursor: Int64Array) -> Exception:
        """Return the exception for the caller; the cursor is before the record that failed."""
        base, _, record, _ = (0, 0, 0, 0) if self.code == Code.ARGUMENT else cursor.tolist()
        numbers = self.code, base + self.offset, record, -1, self.expected, self.actual
        return record_error(numbers)


def is_sane(cursor: Int64Array, size: int, max_rows: int) -> bool:
    """Return True if no number of the call can leave its range."""
    base, position, record, rows = map(int, cursor)
    room = INT64_MAX - size
    inside = 0 <= position <= size and 0 <= rows <= max_rows
    return inside and 0 <= base <= room and 0 <= record <= room


def next_frame(
    view: memoryview, position: int, verify: bool, final: bool
) -> tuple[int | None, Fault | None]:
    """Return the size of the record at `position`, or its fault, or (at the end) neither."""
    left = len(view) - position
    if left < HEADER:
        cut_short = left > 0 and final
        return None, Fault(Code.TRUNCATED_HEADER, position, HEADER, left) if cut_short else None
    start = position + HEADER
    if verify and (fault := _check(view, position, start - 4, Code.LENGTH_CRC)):
        return None, fault
    size = int.from_bytes(view[position : position + 8], "little")
    if size > LIMIT:
        signed = size - 2**64 if size > INT64_MAX else size
        return None, Fault(Code.LENGTH_LIMIT, position, LIMIT, signed)
    end, left = start + size, left - HEADER
    if size > left:
        return None, Fault(Code.TRUNCATED_DATA, start, size, left) if final else None
    if left - size < FOOTER:
        return None, Fault(Code.TRUNCATED_FOOTER, end, FOOTER, left - size) if final else None
    if verify and (fault := _check(view, start, end, Code.DATA_CRC)):
        return None, fault
    return size, None


def _check(view: memoryview, start: int, end: int, code: Code) -> Fault | None:
    """Compare the CRC of view[start:end] with the one stored after it."""
    stored = int.from_bytes(view[end : end + 4], "little")
    computed = masked_crc(view[start:end])
    return None if stored == computed else Fault(code, start, stored, computed)
