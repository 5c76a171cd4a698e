"""Records that are not simply the next one: where an index says, or behind some damage."""

from __future__ import annotations

from bindings.errors import Code
from bindings.python.framing import FOOTER, HEADER, Cursor, Fault, Frame, masked_crc, next_frame


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
