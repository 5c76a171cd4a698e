"""The search for good records in damaged bytes, in Python: docs/records.md, RESYNC.

A search may meet a forged header every twelve bytes, each of which claims much of the buffer as its
payload. Computing a CRC for every claim would take quadratic time. So the CRCs of the prefixes of
the buffer are cached, block by block, and the CRC of a claim is combined from two of them.
"""

from __future__ import annotations

from collections.abc import Callable

HEADER, FOOTER = 12, 4
LIMIT = 2**63 - 1 - HEADER - FOOTER
SEARCH, PARTS = 1 << 24, 16  # a call searches SEARCH bytes, or 1/PARTS of a large buffer

Crc32c = Callable[[memoryview], int]
FindHeader = Callable[[memoryview, int, int], int]
"""Returns the first offset in [start, stop) at which a header begins, or stop."""


def mask_crc(crc: int) -> int:
    """Return a CRC as TFRecord stores it."""
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def times(a: int, b: int) -> int:
    """Return the product modulo the polynomial of CRC-32C; bit 31 is the coefficient of x^0."""
    product = 0
    while a:
        product ^= b if a & 0x80000000 else 0
        a = a << 1 & 0xFFFFFFFF
        b = b >> 1 ^ (0x82F63B78 if b & 1 else 0)
    return product


_POWERS = [0x40000000]  # x^(2^k), which repeat after 31
for _ in range(30):
    _POWERS.append(times(_POWERS[-1], _POWERS[-1]))


def move_crc(crc: int, size: int) -> int:
    """Return the contribution of a CRC to the CRC of the same data with `size` bytes appended.

    crc(a + b) == move_crc(crc(a), len(b)) ^ crc(b)
    """
    for bit in range(size.bit_length()):
        if size >> bit & 1:
            crc = times(_POWERS[(bit + 3) % 31], crc)
    return crc


class Sums:
    """The CRC of any part of a buffer, at about the cost of two blocks.

    Args:
        view: the buffer.
        begin: the least offset at which a part can begin.
        block: the size of a block in bytes. The table has one int for each block.
    """

    def __init__(self, crc32c: Crc32c, view: memoryview, begin: int, block: int) -> None:
        self._crc32c, self._view, self._begin, self._block = crc32c, view, begin, block
        self._until = [0]  # item n is the CRC of the first n blocks

    def crc(self, start: int, end: int) -> int:
        """Return the CRC of view[start:end]."""
        begin, block, until = self._begin, self._block, self._until
        first, last = -((begin - start) // block), (end - begin) // block
        if first >= last:
            return self._sum(start, end)
        for n in range(len(until) - 1, last):
            at = begin + n * block
            until.append(move_crc(until[n], block) ^ self._sum(at, at + block))
        head, tail = begin + first * block, begin + last * block
        crc = self._sum(start, head) ^ until[first]
        crc = move_crc(crc, tail - head) ^ until[last]
        return move_crc(crc, end - tail) ^ self._sum(tail, end)

    def _sum(self, start: int, end: int) -> int:
        return self._crc32c(self._view[start:end])


class Search:
    """A search that finds the good records of a buffer, one after the other.

    Attributes:
        position: the place where the next good record begins or, if there is none, where the search
                  continues.
    """

    def __init__(
        self, view: memoryview, position: int, final: bool, crc32c: Crc32c, find_header: FindHeader
    ) -> None:
        self.position, self._view, self._final = position, view, final
        self._crc32c, self._find_header = crc32c, find_header
        self._begin, self._in_vain = position, 0  # bytes whose CRC was computed in vain
        self._sums = Sums(crc32c, view, position, 256)
        self._left = max(SEARCH, len(view) // PARTS)

    def next_good(self) -> int | None:
        """Move to the next good record and return its size, or None when none was found."""
        view, final = self._view, self._final
        while self._left > 0:
            position = self.position
            left = len(view) - position
            if left < HEADER:
                if left == 0 or not final:
                    return None
            elif self._find_header(view, position, position + 1) == position:
                size = int.from_bytes(view[position : position + 8], "little")
                if size + HEADER + FOOTER <= left:
                    if self._is_good(position + HEADER, size):
                        return size
                    end = position + HEADER + size + FOOTER
                    follows = self._follows(end)
                    if follows is None:
                        return None
                    if follows:
                        self.position = end
                        continue
                    self._in_vain += size
                elif size <= LIMIT and not final:
                    return None
            self._step()
        return None

    def _is_good(self, start: int, size: int) -> bool:
        end = start + size
        in_vain = self._in_vain > self.position - self._begin
        crc = self._sums.crc(start, end) if in_vain else self._crc32c(self._view[start:end])
        return mask_crc(crc) == int.from_bytes(self._view[end : end + FOOTER], "little")

    def _follows(self, end: int) -> bool | None:
        """Return True if the next record begins where a damaged one claims to end.

        Then only the payload is damaged; otherwise nothing in the header can be trusted, and a
        record may begin at any byte. None means that the bytes after it have not been read yet.
        """
        left = len(self._view) - end
        if left < HEADER:
            return left == 0 if self._final else None
        return self._find_header(self._view, end, end + 1) == end

    def _step(self) -> None:
        """Move to the next header, or to the end of the search."""
        position, size = self.position, len(self._view)
        stop = min(size, position + self._left)
        to = min(stop, size - HEADER + 1)
        found = self._find_header(self._view, position + 1, to) if position + 1 < to else to
        self.position = found if found < to else stop if self._final else to
        self._left -= self.position - position
