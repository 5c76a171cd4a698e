"""Recovery from damage: the way to the next good record."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.bindings.protocol import Backend
from ffi_cookbook.records.reading.cursor import Cursor
from ffi_cookbook.records.reading.window import Window
from ffi_cookbook.records.recovery.ahead import Ahead
from ffi_cookbook.records.recovery.losses import Loss, Report
from ffi_cookbook.wire import is_header

OnError: TypeAlias = Literal["raise", "skip", "resync"]
"""What to do about a bad record. "skip" drops it, but raises where the next one cannot be found (a
bad length); "resync" then looks for it, byte by byte. Both continue after a file that is cut short,
and drop the rest of a compressed file from where its stream is damaged."""

_LENGTH_IS_BAD = (
    Code.TRUNCATED_HEADER,
    Code.LENGTH_CRC,
    Code.LENGTH_LIMIT,
    Code.TRUNCATED_DATA,
    Code.TRUNCATED_FOOTER,
)
_AT_THE_END = Code.TRUNCATED_HEADER, Code.TRUNCATED_DATA, Code.TRUNCATED_FOOTER
_FIRST, _MOST = 64, 16384  # records that one search can find; doubled each time


def check_policy(on_error: str) -> None:
    """Raise ValueError if `on_error` is not a policy."""
    if on_error not in (policies := ("raise", "skip", "resync")):
        raise ValueError(f"on_error must be one of {policies}, not {on_error!r}")


class Recovery:
    """What a reader with these options, which are those of `read`, does about damage.

    The results of a search ahead are valid only for a reader that verifies: another reader may
    accept a damaged record, and reach a place that was not searched.
    """

    def __init__(
        self, backend: Backend, verify: bool, on_error: OnError, report: Report | None
    ) -> None:
        self.backend, self.verify, self._on_error, self._report = backend, verify, on_error, report

    def recover(self, window: Window, cursor: Cursor, error: Exception) -> None:
        """Move the cursor from damage to the place where reading can continue, or raise `error`.

        The damage is a bad record, or the end of the data of a damaged stream. The numbers of the
        records that follow count a loss as one record.
        """
        window.restore()
        if not self.verify:
            window.ahead = None
        skips = self._on_error == "skip"
        garbled = skips and getattr(error, "code", None) in _LENGTH_IS_BAD
        if not isinstance(error, RecordError) or (garbled and window.damage):
            self._give_up(window, cursor, window.damage or error)
            return
        error = window.located(error)
        lost = error.code in _LENGTH_IS_BAD
        at_end = error.code in _AT_THE_END and _header_is_good(window, cursor.position)
        if self._on_error == "raise" or (skips and lost and not at_end):
            raise error from None
        start, rows = cursor.offset, cursor.rows
        if skips and at_end:
            _go_to_end(window, cursor)
        elif lost or (error.code == Code.DATA_CRC and not skips and not _leads_on(window, cursor)):
            _find_good(self.backend, window, cursor, _FIRST if self.verify else 1)
        else:
            cursor.position += _size(window, cursor)
        cursor.record, cursor.rows = error.record + 1, rows
        if self.verify:
            window.cut(cursor)
        if self._report is not None:
            self._report.add(Loss(start, cursor.offset, error))

    def _give_up(self, window: Window, cursor: Cursor, error: Exception) -> None:
        """End the window of a damaged stream where its data ends, or raise `error`."""
        if self._on_error == "raise":
            raise error
        start, cursor.position, window.final = cursor.offset, len(window.data), True
        if self._report is not None:
            end, record = cursor.offset, cursor.record
            lost = RecordError(Code.COMPRESSION, window.path, end, record, None)
            lost.__cause__ = error
            self._report.add(Loss(start, end, lost))


def _size(window: Window, cursor: Cursor) -> int:
    position = cursor.position
    return 12 + int.from_bytes(window.data[position : position + 8], "little") + 4


def _leads_on(window: Window, cursor: Cursor) -> bool:
    """Return True if a good header or the file's end follows the record at the cursor."""
    after = _size(window, cursor)
    while len(window.data) < cursor.position + after + 12 and not window.ended:
        window.advance(cursor)
    place = cursor.position + after
    return place == len(window.data) or _header_is_good(window, place, whole=True)


def _header_is_good(window: Window, place: int, whole: bool = False) -> bool:
    """Return True if a header has the right CRC, or the data ends in it and need not be whole."""
    header = bytes(window.data[place : place + 12])
    return is_header(header) or (len(header) < 12 and not whole)


def _go_to_end(window: Window, cursor: Cursor) -> None:
    """Move the cursor to the end of the stream."""
    cursor.position = len(window.data)
    while not window.ended:
        window.advance(cursor)
        cursor.position = len(window.data)


def _find_good(backend: Backend, window: Window, cursor: Cursor, first: int) -> None:
    """Move the cursor to the next record whose CRCs are good, or to the end."""
    while True:
        place = cursor.offset
        ahead = window.ahead
        if ahead is None or place >= ahead.stop:
            data, ended = window.data, window.ended
            most = max(_MOST, len(data) >> 10)  # so that no byte is searched too often
            n = min(2 * ahead.most, most) if ahead else first
            ahead = window.ahead = Ahead(backend, data, ended, cursor, n)
        good = ahead.next_good(place)
        cursor.position += (ahead.stop if good is None else good) - place
        if good is not None or (window.ended and cursor.position == len(window.data)):
            return
        if ahead.stop == place and window.next_record(cursor):  # it claims more than there is
            cursor.position += 1
