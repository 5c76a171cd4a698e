"""crc32c, frame_records and encode_varints, which every binding offers to a writer of records."""

from __future__ import annotations

import array
import mmap
import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from backends import REFUSALS
from children import run_in_child

from ffi_cookbook.bindings._glue.crc import crc32c as by_numpy

pytestmark = pytest.mark.part("crc32c")

# ---- crc32c -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "crc"),
    [
        (b"", 0),
        (b"123456789", 0xE3069283),
        (bytes(32), 0x8A9136AA),  # this and the next three: RFC 3720, B.4
        (b"\xff" * 32, 0x62A8AB43),
        (bytes(range(32)), 0x46DD794E),
        (bytes(range(31, -1, -1)), 0x113FDB5C),
    ],
)
def test_known_sums(backend: ModuleType, data: bytes, crc: int) -> None:
    assert backend.crc32c(data) == crc


def test_sums_of_every_size(backend: ModuleType) -> None:
    data = random.Random(1).randbytes(5000)  # longer than the size from which the GIL is released
    for size in [*range(300), *range(4090, 4100), 5000]:
        at = size % 8  # any alignment
        some = np.frombuffer(data, np.uint8)[at : at + size]
        assert backend.crc32c(data[at : at + size]) == by_numpy(some), size


def test_a_large_sum(backend: ModuleType) -> None:
    data = random.Random(2).randbytes(100_003)
    assert backend.crc32c(data) == by_numpy(np.frombuffer(data, np.uint8))


@pytest.mark.parametrize(
    "wrap",
    [bytearray, memoryview, lambda data: np.frombuffer(data, "<i4"), lambda data: np.array([data])],
    ids=["bytearray", "memoryview", "numbers", "string"],
)
def test_the_sum_of_any_buffer(backend: ModuleType, wrap: Any) -> None:
    assert backend.crc32c(wrap(b"12345678")) == backend.crc32c(b"12345678")


def test_the_sum_of_a_map(backend: ModuleType) -> None:
    with mmap.mmap(-1, 4096) as mapped:
        mapped[:9] = b"123456789"
        assert backend.crc32c(mapped) == backend.crc32c(mapped[:])


@pytest.mark.parametrize("data", ["text", 5, None, [1, 2], np.zeros((4, 4))[:, 0]])
def test_what_has_no_sum(backend: ModuleType, data: Any) -> None:
    with pytest.raises(REFUSALS):
        backend.crc32c(data)


def test_sums_of_parts(backend: ModuleType) -> None:
    data = random.Random(3).randbytes(9001)
    whole = backend.crc32c(data)
    for size in (0, 1, 7, 8, 13, 1000, 8999, 9001):
        before = backend.crc32c(data[:size])
        assert backend.crc32c(data[size:], before) == whole, size
        assert backend.crc32c(b"", before) == before


@pytest.mark.parametrize("before", [-1, 2**32, 2**64, -(2**63), 1.0, "1", None])
def test_what_is_not_a_sum(backend: ModuleType, before: Any) -> None:
    with pytest.raises(REFUSALS):
        backend.crc32c(b"abc", before)


# ---- frame_records ----------------------------------------------------------------------------


def framed(record: bytes) -> bytes:
    def masked(data: bytes) -> bytes:
        crc = by_numpy(data)
        return ((crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")

    size = len(record).to_bytes(8, "little")
    return size + masked(size) + record + masked(record)


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("sizes", [[], [0], [0, 0], [1, 300, 0, 8], [5000, 1, 100_000], [9] * 999])
def test_frames(backend: ModuleType, sizes: list[int], kind: type) -> None:
    records = [random.Random(size).randbytes(size) for size in sizes]
    found = backend.frame_records(kind(records))
    assert type(found) is bytes
    assert found == b"".join(map(framed, records))


class Liar(bytes):
    """A sequence that reports a wrong length."""

    def __len__(self) -> int:
        return 10**6


def test_frames_hold_what_a_subclass_holds(backend: ModuleType) -> None:
    assert backend.frame_records([Liar(b"abc"), b"d"]) == framed(b"abc") + framed(b"d")


class Emptied(list):  # type: ignore[type-arg]
    """A list that loses its items while they are read."""

    def __iter__(self) -> Any:
        for _ in range(3):
            yield bytes(500)
            self.clear()


def test_frames_of_a_list_that_changes(backend: ModuleType) -> None:
    records = Emptied([bytes(500)] * 3)
    assert backend.frame_records(records) == framed(bytes(500)) * 3


class OtherTuple(tuple):  # type: ignore[type-arg]
    """A tuple that iterates over other items than it holds."""

    def __iter__(self) -> Any:
        return iter([b"other"])


def test_frames_are_of_the_items_that_iterating_gives(backend: ModuleType) -> None:
    assert backend.frame_records(OtherTuple([b"abc", b"d"])) == framed(b"other")


@pytest.mark.parametrize(
    "records",
    [b"abc", "abc", None, 5, {b"a": 1}, iter([b"a"]), [b"a", "b"], [bytearray(b"a")], [None], (1,)],
    ids=[
        "bytes",
        "str",
        "None",
        "int",
        "dict",
        "iterator",
        "a str",
        "a bytearray",
        "a None",
        "an int",
    ],
)
def test_what_are_not_records(backend: ModuleType, records: Any) -> None:
    with pytest.raises(TypeError):
        backend.frame_records(records)


# ---- encode_varints ---------------------------------------------------------------------------


def varint(value: int) -> bytes:
    value &= 2**64 - 1
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


EDGES = [edge + by for bits in range(0, 63, 7) for edge in (1 << bits,) for by in (-1, 0, 1)]
INTEGERS = [0, *EDGES, *(-edge for edge in EDGES), 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("values", [[], [0], [-1], INTEGERS, [127] * 3000, INTEGERS * 20])
def test_varints(backend: ModuleType, values: list[int]) -> None:
    found = backend.encode_varints(np.array(values, np.int64))
    assert type(found) is bytes
    assert found == b"".join(map(varint, values))


def test_varints_of_read_only_memory(backend: ModuleType) -> None:
    values = np.frombuffer(np.array(INTEGERS, np.int64).tobytes(), np.int64)
    assert backend.encode_varints(values) == b"".join(map(varint, INTEGERS))


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ([1, 2], TypeError),
        (None, TypeError),
        (memoryview(np.array([1])), TypeError),
        (array.array("q", [1]), TypeError),
        (np.array([1.0]), TypeError),
        (np.array([1], np.int32), TypeError),
        (np.array([1], np.uint64), TypeError),
        (np.array([1], ">i8"), TypeError),
        (np.array(1), ValueError),
        (np.array([[1]]), ValueError),
        (np.arange(6)[::2], ValueError),
        (np.frombuffer(bytes(17), np.uint8)[1:].view(np.int64), ValueError),
    ],
)
def test_what_are_not_integers(backend: ModuleType, values: Any, refusal: type) -> None:
    with pytest.raises(refusal):
        backend.encode_varints(values)


def test_varints_of_any_dtype_that_is_int64(backend: ModuleType) -> None:
    values = np.array(INTEGERS, np.longlong)
    assert backend.encode_varints(values) == b"".join(map(varint, INTEGERS))


def test_varints_of_no_integers_wherever_they_lie(backend: ModuleType) -> None:
    nothing = np.frombuffer(bytes(17), np.uint8)[1:1].view(np.int64)
    assert backend.encode_varints(nothing) == b""


def test_a_subclass_is_not_asked_for_its_memory(backend: ModuleType) -> None:
    """A consumed capsule no longer has memory to offer."""
    source = """
class Liar(np.ndarray):
    def __dlpack__(self, **keywords):
        return self.capsule
values = np.arange(5).view(Liar)
values.capsule = np.zeros(300, np.int64).__dlpack__()
assert [k.encode_varints(values) for _ in range(3)] == [bytes(range(5))] * 3
"""
    run_in_child(backend, [source])
