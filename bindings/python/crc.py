"""CRC-32C, byte by byte: the checksum of a record's length and of its data."""

from __future__ import annotations

from ffi_cookbook.bindings._glue.search import HEADER, mask_crc


def _table_entry(crc: int) -> int:
    for _ in range(8):
        crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc


_TABLE = [_table_entry(byte) for byte in range(256)]


def crc32c(data: bytes | memoryview, before: int = 0) -> int:
    """Return the Castagnoli CRC, not masked: crc32c(b"123456789") == 0xe3069283.

    `before` is the CRC of the bytes before the data.
    """
    crc = before ^ 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def find_header(view: memoryview, start: int, stop: int) -> int:
    """Return the first offset in [start, stop) at which a header begins, or `stop`."""
    for at in range(start, stop):
        stored = int.from_bytes(view[at + 8 : at + HEADER], "little")
        if mask_crc(crc32c(view[at : at + 8])) == stored:
            return at
    return stop
