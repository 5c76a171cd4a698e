"""Bytes and buffers that lie, are released, or are of another layout."""

from __future__ import annotations

import array as arrays
import ctypes
import mmap
import pickle
from typing import Any

import numpy as np

from ..case import Case, Kind
from . import arrays as array_kinds
from .hostile import lying, lying_class

LyingBytes = lying_class(
    bytes,
    ("__len__", "__getitem__", "__iter__", "__bytes__", "__buffer__", "decode", "__eq__"),
    __hash__=bytes.__hash__,
)


class BytesSub(bytes):
    """A plain subclass."""


class ByteArraySub(bytearray):
    """A bytearray that reports another length."""

    def __len__(self) -> int:
        return 10**6


def lying_bytes(case: Case, data: Any) -> Any:
    lies = [
        {}, {"__len__": 0}, {"__len__": 10**6}, {"__len__": len(data) + 8}, {"__len__": 1},
        {"__getitem__": b""}, {"__iter__": iter([300])}, {"__bytes__": b"x"}, {"decode": "x"},
    ]  # fmt: skip
    return lying(case, LyingBytes(data), lies)


def closed_map(case: Case, data: Any) -> Any:
    view = mmap.mmap(-1, 4096)
    view.close()
    return view


def open_map(case: Case, data: Any) -> Any:
    view = mmap.mmap(-1, max(1, len(data)))
    view[: len(data)] = bytes(data)
    return view


def released(case: Case, data: Any) -> Any:
    view = memoryview(bytes(data))
    view.release()
    return view


def released_pickle(case: Case, data: Any) -> Any:
    buffer = pickle.PickleBuffer(bytearray(data))
    if case.rng.random() < 0.5:
        buffer.release()
    return buffer


def of_ctypes(case: Case, data: Any) -> Any:
    class Pair(ctypes.Structure):
        _fields_ = (("a", ctypes.c_char), ("b", ctypes.c_int))

    return case.rng.choice(
        [
            (ctypes.c_char * len(data)).from_buffer_copy(data),
            (ctypes.c_ubyte * len(data)).from_buffer_copy(data),
            (Pair * 2)(),
            ctypes.c_double(1),
        ]
    )


def shaped(case: Case, data: Any) -> Any:
    """Return a memoryview of two dimensions or of none."""
    view = memoryview(bytes(data))
    if case.rng.random() < 0.5:
        return memoryview(np.array(5.0))
    return view.cast("B", (1, len(data)))


def damaged(case: Case, data: Any) -> Any:
    y = bytearray(data)
    for _ in range(case.rng.choice((1, 1, 2, 5))):
        at, bit = case.rng.randrange(len(y)), case.rng.randrange(8)
        y[at] ^= 1 << bit
        case.say(f"bit {bit} of byte {at} flipped")
    return bytes(y)


def cut(case: Case, data: Any) -> Any:
    n = case.rng.randrange(len(data) + 1)
    case.say(f"the first {n} bytes")
    return bytes(data)[:n]


def shared(case: Case, data: Any) -> Any:
    """Return a view of another argument's memory."""
    name = case.rng.choice([n for n, v in case.values.items() if isinstance(v, np.ndarray)])
    case.say(f"a view of {name}")
    return memoryview(case.values[name]).cast("B")


def subclass(case: Case, data: Any) -> Any:
    case.idiom()  # some patterns take bytes and nothing else
    return case.rng.choice([BytesSub, np.bytes_])(data)


def as_array(case: Case, data: Any) -> Any:
    x = np.frombuffer(bytes(data), np.uint8)
    kind = case.rng.choice(array_kinds.ARRAYS)
    case.say(f"an array: {kind.text}")
    case.lies |= kind.lies
    made = kind.make(case, x)
    addresses = isinstance(made, np.ndarray) and made.dtype.hasobject
    return made[:0] if addresses and made.ndim else made


LOOKS = [
    ("a bytearray", bytearray),
    ("a memoryview", memoryview),
    ("a memoryview backwards", lambda d: memoryview(d)[::-1]),
    ("every other byte", lambda d: memoryview(d)[::2]),
    ("a memoryview of c", lambda d: memoryview(d).cast("c")),
    ("a memoryview of words", lambda d: memoryview(bytes(d)[: len(d) // 8 * 8]).cast("q")),
    ("an array.array", lambda d: arrays.array("b", bytes(d))),
    ("an array.array of u", lambda d: arrays.array("u", "abc")),
    ("a bytearray that lies", ByteArraySub),
    ("a str", lambda d: "text"),
    ("None", lambda d: None),
    ("a number", lambda d: 5),
    ("a list", lambda d: list(memoryview(d).tobytes())),
    ("np.void", np.void),
    ("np.float64", lambda d: np.float64(1)),
    ("a class", lambda d: bytes),
    ("an object array", lambda d: np.array([], object)),
]
BUFFERS = [
    *[Kind("bits flipped", damaged), Kind("cut", cut)] * 4,
    *[Kind("bytes that lie or run", lying_bytes, lies=True)] * 5,
    *[Kind("a closed map", closed_map), Kind("a map", open_map), Kind("released", released)],
    *[Kind("another argument's memory", shared)] * 2,
    *[Kind("a PickleBuffer", released_pickle), Kind("a ctypes object", of_ctypes)],
    *[Kind("a shaped memoryview", shaped), Kind("a subclass of bytes", subclass)],
    *[Kind("as an array", as_array)] * 8,
    *[Kind(text, lambda case, d, make=make: make(d)) for text, make in LOOKS],
]
