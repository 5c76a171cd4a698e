"""Checksums, frames and varints for a writer of records: by the C library or, without it, NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ctypes import Array, c_char, c_int, c_size_t, c_uint32, c_void_p
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.backends import BackendUnavailable, load
from ffi_cookbook.bindings._glue.search import FOOTER, HEADER, mask_crc
from ffi_cookbook.bindings.protocol import Buffer

FRAMING = HEADER + FOOTER  # bytes before and after the data of a record
_LONGEST_VARINT = 10
_SHIFTS = np.arange(0, 70, 7, dtype=np.uint64)  # for the ten bytes of the longest varint


class _Library(NamedTuple):
    """The functions of the C library that a writer needs."""

    crc32c: Callable[..., int]
    frame_records: Callable[..., int]
    encode_varints: Callable[..., int]


@cache
def _library() -> _Library | None:
    """Return the C library, or None if it is not built."""
    try:
        load("ctypes")
    except BackendUnavailable:
        return None
    from ffi_cookbook.bindings.ctypes.library import declare, lib

    memory = c_void_p, c_size_t
    return _Library(
        declare(lib, "ck_crc32c", c_uint32, *memory, c_uint32),
        declare(lib, "ck_frame_records", c_int, *memory, *memory, c_void_p),
        declare(lib, "ck_encode_varints", c_size_t, *memory, c_void_p),
    )


def crc32c(buffer: Buffer, before: int = 0) -> int:
    """Return the CRC-32C (Castagnoli) of the bytes of a buffer, not masked.

    It is 0xE3069283 for b"123456789". `before` is the CRC of the bytes before the buffer: the
    result is then the CRC of all of them.
    """
    library = _library()
    if library is None:
        from ffi_cookbook.bindings._glue import crc

        return crc.crc32c(buffer, before)
    if type(buffer) is bytes:
        return library.crc32c(buffer, len(buffer), before)
    data = np.frombuffer(buffer, np.uint8)
    return library.crc32c(data.ctypes.data, data.size, before)


def frame_records(records: Sequence[bytes]) -> bytes:
    """Return the TFRecord frames of many payloads, one after the other."""
    library = _library()
    if library is None:
        return b"".join(part for record in records for part in _frame(record))
    data, sizes = b"".join(records), np.fromiter(map(len, records), np.int64, len(records))
    out = np.empty(len(data) + FRAMING * len(records), np.uint8)
    library.frame_records(data, len(data), sizes.ctypes.data, len(records), out.ctypes.data)
    return out.tobytes()


def _frame(record: bytes) -> tuple[bytes, bytes, bytes]:
    return header(len(record)), record, masked(crc32c(record))


@lru_cache(8192)
def header(size: int) -> bytes:
    """Return a length and its CRC. The records of a file have few different sizes."""
    length = size.to_bytes(8, "little")
    return length + masked(crc32c(length))


def masked(crc: int) -> bytes:
    """Return a CRC as a frame has it."""
    return mask_crc(crc).to_bytes(4, "little")


def encode_varints(integers: bytes) -> bytes:
    """Return the varints of native int64s, which are given as bytes, as protobuf packs them.

    A negative integer takes ten bytes, because it is encoded as a two's complement of 64 bits.
    """
    library, n = _library(), len(integers) // 8
    if library is None:
        return _varints(np.frombuffer(integers, np.uint64))
    out = _room((_LONGEST_VARINT * n).bit_length())()
    return out[: library.encode_varints(integers, n, out)]  # type: ignore[return-value]


@cache
def _room(bits: int) -> type[Array[c_char]]:
    """Return the type of 2^bits bytes of memory. Making one takes ten times as long as a call."""
    return c_char * (1 << bits)


def _varints(values: np.ndarray[Any, np.dtype[np.uint64]]) -> bytes:
    rest = values[:, np.newaxis] >> _SHIFTS  # shifted to each group of seven bits
    groups = (rest & np.uint64(0x7F)).astype(np.uint8)
    groups[:, :-1] |= (rest[:, 1:] != 0).astype(np.uint8) << 7  # another one follows
    used = rest != 0
    used[:, 0] = True
    return groups[used].tobytes()  # type: ignore[no-any-return]
