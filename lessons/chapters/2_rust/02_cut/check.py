"""Texts of one to four bytes a character, bytes that are not UTF-8, and sums at the limit."""

from ffi_cookbook_lessons.cases import drive

OK, NOT_UTF8, TOO_LARGE = range(3)
UNCHECKED = "no-exception"


def boundary(data, most):
    """Return where the bytes can be cut, by trying."""
    for end in range(min(most, len(data)), -1, -1):
        try:
            data[:end].decode()
        except UnicodeDecodeError:
            continue
        return end
    return 0


def cases(draw):
    """Yield texts and places, bytes with one bad byte, and numbers."""
    for text in ("größer", "漢字", "a😀b", "", draw.text(9), draw.text(30)):
        data = text.encode()
        for most in (0, 1, 2, 3, draw.randint(0, len(data)), len(data), len(data) + 5, 2**64 - 1):
            says = f"cut({text!r}, {len(data)}, {most}, &end)"
            yield drive("cut", data, most, gives=(OK, boundary(data, most)), says=says)
    for text in ("gr", "", draw.text(8)):
        for bad in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80"):
            data = text.encode() + bad
            expected = (NOT_UTF8, len(text.encode()))
            says = f"cut of the bytes {data!r}"
            yield drive("cut", data, draw.randint(0, 12), rule=UNCHECKED, gives=expected, says=says)
    top = 2**64 - 1
    for numbers in ([], [7], [2, 3], [top], [top - 5, 5], draw.integers(40, 0, 2**57)):
        yield drive("total", numbers, gives=(OK, sum(numbers)))
    large = draw.randint(1, 2**63)
    for numbers in ([top, 1], [top - large + 1, large], [2**63] * 4):
        yield drive("total", numbers, gives=(TOO_LARGE, 99), rule=UNCHECKED)
    yield drive("without_memory", gives=(OK, 0, OK, 0), says="cut and total of null pointers")
