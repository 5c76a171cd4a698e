"""Text, bytes and buffers: the same sums in every binding, new objects, buffers released."""

from __future__ import annotations

import mmap
from array import array
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from support.backends import REFUSALS

pytestmark = pytest.mark.part("patterns")


def test_text_in(patterns: Any) -> None:
    assert patterns.str_in("") == 0
    assert patterns.str_in("a\0é😀") == sum("a\0é😀".encode())
    assert patterns.str_in("x" * 100_000) == 100_000 * ord("x")
    assert type(patterns.str_in("x")) is int


def test_bytes_in(patterns: Any) -> None:
    assert patterns.bytes_in(b"") == 0
    assert patterns.bytes_in(b"\xff\0\xff") == 510


def test_new_objects_out(patterns: Any) -> None:
    texts, octets = [patterns.str_out() for _ in range(3)], [patterns.bytes_out() for _ in range(3)]
    assert texts == ["hello world"] * 3
    assert octets == [b"hello world"] * 3
    assert {type(text) for text in texts} == {str}
    assert {type(data) for data in octets} == {bytes}
    assert len({id(text) for text in texts}) == 3
    assert len({id(data) for data in octets}) == 3


def test_bytes_map(patterns: Any) -> None:
    data = bytes(range(256))
    first, second = patterns.bytes_map(data), patterns.bytes_map(data)
    assert first == second == data[::-1]
    assert first is not second
    assert type(first) is bytes
    assert data == bytes(range(256))
    assert patterns.bytes_map(b"") == b""
    assert patterns.bytes_map(b"\0") == b"\xff"


def test_a_subclass_of_bytes(patterns: Any) -> None:
    """A subclass's own content counts, not its methods' reports, and plain bytes come back."""

    class Data(bytes):
        def __bytes__(self) -> bytes:
            return b"wrong"

        def __len__(self) -> int:
            return 1000

    with suppress(*REFUSALS):
        assert patterns.bytes_in(Data(b"right")) == sum(b"right")
    with suppress(*REFUSALS):
        made = patterns.bytes_map(Data(b"right"))
        assert made == bytes(byte ^ 255 for byte in b"right")
        assert type(made) is bytes


def test_a_subclass_of_str(patterns: Any) -> None:
    """A subclass's own content counts, not its methods' reports, or it is refused."""

    class Text(str):
        def encode(self, *_: Any) -> bytes:
            return b"wrong"

        __str__ = __repr__ = lambda self: "wrong"

    with suppress(*REFUSALS):
        assert patterns.str_in(Text("right")) == sum(b"right")


BUFFERS = {
    "bytes": lambda data: data,
    "bytearray": bytearray,
    "memoryview": memoryview,
    "part": lambda data: memoryview(b"x" + data + b"x")[1:-1],
    "array": lambda data: array("B", data),
    "uint8": lambda data: np.frombuffer(data, np.uint8),
    "int16": lambda data: np.frombuffer(data, np.int16),
    "two dimensions": lambda data: np.frombuffer(data, np.uint8).reshape(2, -1),
    "floats": lambda data: array("d", data),
}


@pytest.mark.parametrize("kind", BUFFERS)
def test_buffers(patterns: Any, kind: str) -> None:
    data = bytes(range(250, 256)) + bytes(range(10))
    assert patterns.buffer_in(BUFFERS[kind](data)) == sum(data)
    assert type(patterns.buffer_in(BUFFERS[kind](data))) is int


@pytest.mark.parametrize("empty", [b"", bytearray(), array("d"), np.empty(0, np.uint8)], ids=repr)
def test_empty_buffers(patterns: Any, empty: Any) -> None:
    assert patterns.buffer_in(empty) == 0


def test_a_mapped_file_can_be_closed_afterwards(patterns: Any) -> None:
    mapped = mmap.mmap(-1, 4096)
    mapped[:3] = b"abc"
    assert patterns.buffer_in(mapped) == sum(b"abc")
    mapped.close()  # raises BufferError if a buffer is still exported


def test_buffers_are_released(patterns: Any) -> None:
    """A bytearray cannot grow, nor a memoryview be released, while a buffer of it is exported.

    Both must work while the exception and its traceback are alive.
    """
    buffer = bytearray(b"abcd")
    assert patterns.buffer_in(buffer) == sum(b"abcd")
    buffer.append(0)
    gaps = memoryview(buffer)[::2]
    with pytest.raises((*REFUSALS, BufferError)) as caught:
        patterns.buffer_in(gaps)
    gaps.release()
    buffer.append(0)
    assert caught.tb is not None
    with pytest.raises(REFUSALS):
        patterns.buffer_in(buffer, buffer)
    buffer.append(0)
