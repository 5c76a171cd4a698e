"""CRC-32C with NumPy: a checksum looks sequential, but it is linear.

From a register of zero, the CRC of a block is the exclusive or of each byte's own contribution,
which a table has, so that many blocks are looked up at once. The bytes before a block act as if
xor-ed into its first four bytes, so that one short step per block joins them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol.arrays import Buffer

_BLOCK = 128
_SLAB = 256 * _BLOCK  # the bytes looked up at once, so that the look-ups stay in the cache


def _byte_table() -> list[int]:
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = table >> np.uint32(1) ^ (table & np.uint32(1)) * np.uint32(0x82F63B78)
    return table.tolist()


_LAST = _byte_table()


def _block_table() -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """Return the table [position in the block, byte] of contributions to the final register."""
    table = np.empty((_BLOCK, 256), np.uint32)
    table[-1] = last = np.array(_LAST, np.uint32)
    for position in range(_BLOCK - 2, -1, -1):
        register = table[position + 1]
        table[position] = last[register & 0xFF] ^ register >> 8
    return table


_TABLE = _block_table()
_ROWS = 256 * np.arange(_BLOCK)  # the start of each position in the flat table
_EIGHT = _TABLE[-8:].copy()  # for eight bytes, with the register inverted before and after
_EIGHT[:4] = _EIGHT[:4, ::-1]
_EIGHT[0] ^= np.uint32(0xFFFFFFFF)
_FIRST, _SECOND, _THIRD, _FOURTH = _TABLE[:4].tolist()


def crc32c(buffer: Buffer, before: int = 0) -> int:
    """Return the Castagnoli CRC of the data, not masked. `before` is that of earlier bytes."""
    data, crc = np.frombuffer(buffer, np.uint8), before ^ 0xFFFFFFFF
    whole = data.size // _BLOCK * _BLOCK
    for start in range(0, whole, _SLAB):
        blocks = data[start : min(start + _SLAB, whole)].reshape(-1, _BLOCK)
        for register in np.bitwise_xor.reduce(_TABLE.take(_ROWS + blocks), axis=1).tolist():
            before = _FIRST[crc & 0xFF] ^ _SECOND[crc >> 8 & 0xFF]
            crc = register ^ before ^ _THIRD[crc >> 16 & 0xFF] ^ _FOURTH[crc >> 24]
    for byte in data[whole:].tolist():
        crc = _LAST[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def find_header(view: memoryview, start: int, stop: int) -> int:
    """Return the first offset from `start` on and below `stop` that has a header, or `stop`.

    A header is eight bytes and their masked CRC. The CRCs at many offsets are looked up at once.
    """
    while start < stop:
        n = min(stop - start, _SLAB)
        crc: Any = np.zeros(n, np.uint32)
        for i, table in enumerate(_EIGHT):
            crc ^= table.take(np.frombuffer(view, np.uint8, n, start + i))
        masked = (crc >> 15 | crc << 17) + np.uint32(0xA282EAD8)
        stored: Any = np.ndarray(n, "<u4", view, start + 8, 1)
        found = np.flatnonzero(masked == stored)
        if found.size:
            return start + int(found[0])
        start += n
    return stop
