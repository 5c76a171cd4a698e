"""Texts with and without a last line feed, and arrays with less room than lines."""

from ffi_cookbook_lessons.cases import drive


def expected(text, room):
    """Return the number of lines, and what the array holds after the call."""
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    ends, start = [], 0
    for line in lines:
        ends.append(start + len(line))
        start = ends[-1] + 1
    return len(ends), ends[:room] + [99] * (room - len(ends))


def cases(draw):
    """Yield texts with much room, with too little, and with none."""
    random = [bytes(draw.choices(b"abc\n", k=draw.randint(3, 40))) for _ in range(4)]
    for text in (b"ab\n\ncde", b"ab\n", b"\n", b"x", b"", *random):
        lines = expected(text, 0)[0]
        for room in sorted({0, 1, max(lines - 1, 0), lines, lines + 2}):
            says = f"line_ends({text!r}, {len(text)}, ends, {room})"
            yield drive("line_ends", text, room, gives=expected(text, room), says=says)
    yield drive("without_memory", gives=0, says="line_ends(null, 0, null, 0)")
    long = b"\n".join([b"a line"] * 1000)
    says = "line_ends of 1000 lines"
    yield drive("line_ends", long, 1000, gives=expected(long, 1000), timed=True, says=says)
