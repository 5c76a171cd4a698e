"""Checksums, frames and varints for a writer of records, by the C library and by NumPy."""

from __future__ import annotations

import mmap
import random
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import wire
from ffi_cookbook.bindings.python.crc import crc32c as by_table
from ffi_cookbook.wire import crc32c, encode_varints, frame_records
from support.backends import binding
from support.wire import varint


@pytest.fixture(params=["C", "NumPy"], autouse=True)
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute with the C library, or with NumPy as where the library is absent."""
    if request.param == "C":
        binding("ctypes")
        assert wire._library() is not None
    else:
        monkeypatch.setattr(wire, "_library", lambda: None)


def test_known_sums() -> None:
    """The last four are those of RFC 3720, B.4."""
    assert [crc32c(data) for data in (b"", b"123456789")] == [0, 0xE3069283]
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E
    assert crc32c(bytes(range(31, -1, -1))) == 0x113FDB5C


def test_sums_of_every_size_and_of_parts() -> None:
    data = random.Random(1).randbytes(100_003)
    for size in [*range(300), *range(4090, 4100), 4990, 99_990]:
        some = memoryview(data)[size % 8 :][:size]  # any alignment
        assert crc32c(some) == by_table(some), size
        assert crc32c(some[size // 3 :], crc32c(some[: size // 3])) == crc32c(some)


def test_the_sum_of_any_buffer() -> None:
    data = b"12345678"
    for buffer in (bytearray(data), np.frombuffer(data, "<i4"), np.array([data])):
        assert crc32c(buffer) == crc32c(data)
    with mmap.mmap(-1, 4096) as mapped:
        mapped[:8] = data
        assert crc32c(mapped) == crc32c(mapped[:])
    no_buffer: Any
    for no_buffer in ("text", 5, None, [1, 2], np.zeros((4, 4))[:, 0]):
        with pytest.raises((TypeError, ValueError)):
            crc32c(no_buffer)


def framed(record: bytes) -> bytes:
    def masked(data: bytes) -> bytes:
        crc = by_table(data)
        return ((crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")

    size = len(record).to_bytes(8, "little")
    return size + masked(size) + record + masked(record)


@pytest.mark.parametrize("sizes", [[], [0], [0, 0], [1, 300, 0, 8], [5000, 1, 100_000], [9] * 999])
def test_frames(sizes: list[int]) -> None:
    records = [random.Random(size).randbytes(size) for size in sizes]
    found = frame_records(records)
    assert type(found) is bytes
    assert found == b"".join(map(framed, records))


EDGES = [edge + by for bits in range(0, 63, 7) for edge in (1 << bits,) for by in (-1, 0, 1)]
INTEGERS = [0, *EDGES, *(-edge for edge in EDGES), 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("values", [[], [0], [-1], INTEGERS, [127] * 3000, INTEGERS * 20])
def test_varints(values: list[int]) -> None:
    found = encode_varints(np.array(values, np.int64).tobytes())
    assert type(found) is bytes
    assert found == b"".join(map(varint, values))
