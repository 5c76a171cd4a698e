"""Frames around fixed records in a stream: a length before each record, and its CRC after it.

Records of one layout have one length, so a frame is a fixed record itself, with a length first and
a CRC last, and no kernel needs to know about frames. Both are checked here, many records at a time.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.crc import crcs_of_rows
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.records.columns.layout import Columns, FixedLayout
from ffi_cookbook.records.reading.cursor import Cursor

Checksum: TypeAlias = Literal["crc32c", "masked"] | None
"""Four bytes after a record: its CRC-32C, as it is or masked as TFRecord does it."""

_DATA = "data"


class Framing:
    """The frame around records of a dtype: an optional length, the record, an optional CRC.

    Attributes:
        layout: the layout of the whole frame, or of the record if nothing is around it.
    """

    def __init__(
        self, layout: FixedLayout, length: npt.DTypeLike | None, checksum: Checksum
    ) -> None:
        if checksum not in (None, "crc32c", "masked"):
            raise ValueError(f"checksum must be 'crc32c', 'masked' or None, not {checksum!r}")
        self._size, self._checksum = layout.dtype.itemsize, checksum
        self._prefix = None if length is None else _unsigned(length)
        order = self._prefix.byteorder if self._prefix is not None else "<"
        crc = np.dtype("u4").newbyteorder("<" if order == "|" else order)
        parts = [("length", self._prefix), (_DATA, layout.dtype), ("crc", checksum and crc)]
        self._frame = np.dtype([part for part in parts if part[1] is not None])
        bare = self._prefix is None and checksum is None
        self.layout = layout if bare else FixedLayout(self._frame)
        if self._prefix is not None and self._size > np.iinfo(self._prefix).max:
            raise ValueError(f"no length in {self._prefix} can be {self._size}")

    def check(self, data: memoryview, cursor: Cursor, rows: int) -> None:
        """Raise RecordError for the first of the next `rows` records whose frame is wrong."""
        if self._frame.names == (_DATA,):
            return
        frames = np.frombuffer(data, self._frame, rows, cursor.position)
        wrong = np.zeros(rows, bool)
        if self._prefix is not None:
            wrong |= frames["length"] != self._size
        if self._checksum:
            computed = self._checksums(frames)
            wrong |= frames["crc"] != computed
        if not wrong.any():
            return
        row = int(wrong.argmax())
        frame, record = frames[row], cursor.record + row
        start = cursor.offset + row * self._frame.itemsize
        if self._prefix is not None and frame["length"] != self._size:
            found = int(frame["length"])
            raise RecordError(Code.FIXED_LENGTH, None, start, record, None, self._size, found)
        start += self._frame.fields[_DATA][1]  # type: ignore[index]
        stored, found = int(frame["crc"]), int(computed[row])
        raise RecordError(Code.DATA_CRC, None, start, record, None, stored, found)

    def columns(self, columns: Columns) -> Columns:
        """Return the columns of the records from those of the frames."""
        if self._frame.names == (_DATA,):
            return columns
        start = _DATA + "."
        return {
            name.removeprefix(start): column
            for name, column in columns.items()
            if name.startswith(start)
        }

    def _checksums(self, frames: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
        raw = frames.view(np.uint8).reshape(len(frames), self._frame.itemsize)
        start = self._frame.fields[_DATA][1]  # type: ignore[index]
        return crcs_of_rows(raw[:, start : start + self._size], self._checksum == "masked")


def _unsigned(length: npt.DTypeLike) -> np.dtype[Any]:
    dtype = np.dtype(length)
    if dtype.kind != "u":
        raise TypeError(f"length must be an unsigned integer's dtype such as '<u4', not {dtype}")
    return dtype
