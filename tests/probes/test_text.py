"""Text, bytes and buffers: the same sums in every door, new objects out, buffers given back."""

from __future__ import annotations

import mmap
from array import array
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from doors import REFUSALS, open_doors
from hypothesis import given, settings
from hypothesis import strategies as st
from labels import label

pytestmark = pytest.mark.part("probes")


NO_BYTES = ["text", None, 1, [1], bytearray(b"x"), memoryview(b"x")]


@settings(max_examples=50, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"])), data=st.binary())
def test_in_every_door(text: str, data: bytes) -> None:
    for name, door in open_doors("probes"):
        probes = door.probes
        assert probes.str_in(text) == sum(text.encode()), name
        assert probes.bytes_in(data) == sum(data), name
        assert probes.bytes_map(data) == bytes(byte ^ 255 for byte in data), name
        assert probes.buffer_in(data) == sum(data), name
        assert probes.buffer_in(bytearray(data)) == sum(data), name


def test_text_in(probes: Any) -> None:
    assert probes.str_in("") == 0
    assert probes.str_in("a\0é😀") == sum("a\0é😀".encode())
    assert probes.str_in("x" * 100_000) == 100_000 * ord("x")
    assert type(probes.str_in("x")) is int


def test_bytes_in(probes: Any) -> None:
    assert probes.bytes_in(b"") == 0
    assert probes.bytes_in(b"\xff\0\xff") == 510


def test_new_objects_out(probes: Any) -> None:
    texts, octets = [probes.str_out() for _ in range(3)], [probes.bytes_out() for _ in range(3)]
    assert texts == ["hello world"] * 3
    assert octets == [b"hello world"] * 3
    assert {type(text) for text in texts} == {str}
    assert {type(data) for data in octets} == {bytes}
    assert len({id(text) for text in texts}) == 3
    assert len({id(data) for data in octets}) == 3


def test_bytes_map(probes: Any) -> None:
    data = bytes(range(256))
    first, second = probes.bytes_map(data), probes.bytes_map(data)
    assert first == second == data[::-1]
    assert first is not second
    assert type(first) is bytes
    assert data == bytes(range(256))
    assert probes.bytes_map(b"") == b""
    assert probes.bytes_map(b"\0") == b"\xff"


def test_a_subclass_of_bytes(probes: Any) -> None:
    """Its own bytes or none, whatever it says of itself, and plain bytes come back."""

    class Data(bytes):
        def __bytes__(self) -> bytes:
            return b"wrong"

        def __len__(self) -> int:
            return 1000

    with suppress(*REFUSALS):
        assert probes.bytes_in(Data(b"right")) == sum(b"right")
    for change in (probes.bytes_map, lambda data: probes.stamp(data, 255)):
        with suppress(*REFUSALS):
            made = change(Data(b"right"))
            assert made == bytes(byte ^ 255 for byte in b"right")
            assert type(made) is bytes


def test_a_subclass_of_str(probes: Any) -> None:
    """Its own text or none, whatever it says of itself."""

    class Text(str):
        def encode(self, *_: Any) -> bytes:
            return b"wrong"

        __str__ = __repr__ = lambda self: "wrong"

    with suppress(*REFUSALS):
        assert probes.str_in(Text("right")) == sum(b"right")


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
def test_buffers(probes: Any, kind: str) -> None:
    data = bytes(range(250, 256)) + bytes(range(10))
    assert probes.buffer_in(BUFFERS[kind](data)) == sum(data)
    assert type(probes.buffer_in(BUFFERS[kind](data))) is int


@pytest.mark.parametrize("empty", [b"", bytearray(), array("d"), np.empty(0, np.uint8)], ids=repr)
def test_empty_buffers(probes: Any, empty: Any) -> None:
    assert probes.buffer_in(empty) == 0


def test_a_mapped_file_can_be_closed_after(probes: Any) -> None:
    mapped = mmap.mmap(-1, 4096)
    mapped[:3] = b"abc"
    assert probes.buffer_in(mapped) == sum(b"abc")
    mapped.close()  # BufferError if someone still holds it


def test_a_buffer_is_given_back(probes: Any) -> None:
    """A bytearray that someone holds cannot grow, nor a memoryview that someone holds be released:
    they can, while the exception and its traceback are alive."""
    buffer = bytearray(b"abcd")
    assert probes.buffer_in(buffer) == sum(b"abcd")
    buffer.append(0)
    gaps = memoryview(buffer)[::2]
    with pytest.raises((*REFUSALS, BufferError)) as caught:
        probes.buffer_in(gaps)
    gaps.release()
    buffer.append(0)
    assert caught.tb is not None
    with pytest.raises(REFUSALS):
        probes.buffer_in(buffer, buffer)
    buffer.append(0)


def test_a_buffer_with_gaps_is_refused(probes: Any) -> None:
    data, grid = bytes(range(12)), np.arange(12, dtype=np.uint8).reshape(3, 4)
    for gaps in (memoryview(data)[::2], memoryview(data)[::-1], grid.T, grid[:, 1:]):
        with pytest.raises((*REFUSALS, BufferError)):
            probes.buffer_in(gaps)


@pytest.mark.parametrize(
    ("probe", "arguments"),
    [
        *(("str_in", (x,)) for x in (b"bytes", None, 1, ["a"], "\ud800", "a" * 50 + "\udfff")),
        *(("str_in", ()), ("str_in", ("a", "b")), ("str_out", (1,)), ("bytes_out", (1,))),
        *(("bytes_in", (x,)) for x in NO_BYTES),
        *(*(("bytes_map", (x,)) for x in NO_BYTES), ("bytes_map", ()), ("bytes_map", (b"a", b"b"))),
        *(("buffer_in", (x,)) for x in ("text", None, 1, [1], object())),
        ("buffer_in", ()),
    ],
    ids=label,
)
def test_what_does_not_convert(probes: Any, probe: str, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(REFUSALS):
        getattr(probes, probe)(*arguments)
