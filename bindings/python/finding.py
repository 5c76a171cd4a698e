"""Records that are not simply the next one: at a place in an index, or after some damage."""

from __future__ import annotations

from ffi_cookbook.bindings._glue.search import Search
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.python.framing import (
    HEADER,
    Cursor,
    Fault,
    Frame,
    masked_crc,
    next_frame,
)


def frame_of_span(view: memoryview, base: int, offset: int, size: int, verify: bool) -> Frame:
    """Return the record whose data lies at `offset` of the file, according to an index."""
    position = offset - base - HEADER
    if position < 0:
        raise Fault(Code.ARGUMENT, 0)
    frame = next_frame(view, position, verify, True) if position < len(view) else None
    if frame is None:
        raise Fault(Code.TRUNCATED_HEADER, position, HEADER, 0)
    if frame.end - frame.start != size:
        raise Fault(Code.STALE_INDEX, position, size, frame.end - frame.start)
    return frame


def find_header(view: memoryview, start: int, stop: int) -> int:
    """Return the first offset in [start, stop) at which a header begins, or `stop`."""
    for at in range(start, stop):
        if masked_crc(view[at : at + 8]) == int.from_bytes(view[at + 8 : at + HEADER], "little"):
            return at
    return stop


def good_frame(search: Search, state: Cursor) -> Frame | None:
    """Move the cursor to the next good record and return its frame, or None if none is found."""
    search.position = state.position
    size = search.next_good()
    state.skip(search.position - state.position)
    start = state.position + HEADER
    return None if size is None else Frame(start, start + size)
