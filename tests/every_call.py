"""Every way to call the probes and the kernels that ends well, and the ways that end badly.

For tests that repeat a call many times over: each is made of objects of its own, so that nothing
immortal or shared hides what a call does to its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from jobs import FIELDS, RECORDS, SCHEMA, TEXT, small_model

from bindings.records.arena import Arena


class Call(NamedTuple):
    """A function, its arguments, and whether it raises. `again` makes ready for the next time."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    fails: bool
    again: Callable[[], object]

    def repeat(self, n: int) -> None:
        """Calls n times."""
        function, arguments, keywords, fails, again = self
        for _ in range(n):
            again()
            try:
                function(*arguments, **keywords)
            except (TypeError, ValueError, OverflowError, Oops):
                assert fails
            else:
                assert not fails


class Oops(Exception):
    """An exception no binding knows of."""


def call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Call:
    return Call(function, arguments, keywords, False, bool)


def failing(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Call:
    return Call(function, arguments, keywords, True, bool)


# ---- matmul --------------------------------------------------------------------------------


def matmul(backend: ModuleType) -> Iterator[Call]:
    function, a, b, out = backend.matmul, np.ones((3, 4)), np.ones((4, 5)), np.ones((3, 5))
    yield call(function, a, b)
    yield call(function, b.T, a.T, out=np.ones((5, 3)))
    yield call(function, np.ones((50, 8)), np.ones((8, 50)))
    yield failing(function, a, a)
    yield failing(function, a, b.tolist())
    yield failing(function, a, b.astype(np.float32))
    yield failing(function, a, b, out=out.T)
    yield failing(function, a, b, out=a)
    yield failing(function, a, b, out=out, threads=0)


# ---- records -------------------------------------------------------------------------------


def damaged() -> bytearray:
    data = bytearray(RECORDS)
    data[-1] ^= 1
    return data


def index_records(backend: ModuleType) -> Iterator[Call]:
    def indexing(fails: bool, buffer: Any, spans: Any) -> Call:
        cursor = np.zeros(4, np.int64)
        return Call(
            backend.index_records, (buffer, spans, cursor), {}, fails, lambda: cursor.fill(0)
        )

    spans = np.zeros((9, 2), np.int64)
    yield indexing(False, bytes(bytearray(RECORDS)), spans)
    yield indexing(False, bytearray(RECORDS), spans)
    yield indexing(True, damaged(), spans)
    yield indexing(True, str(RECORDS), spans)
    yield indexing(True, bytearray(RECORDS), spans.T)
    yield failing(backend.index_records, bytearray(RECORDS), spans, np.zeros(5, np.int64))


def decode_fixed(backend: ModuleType) -> Iterator[Call]:
    def decoding(fails: bool, buffer: Any, size: Any = 5, fields: Any = FIELDS) -> Call:
        cursor, arena = np.zeros(4, np.int64), np.zeros(1024, np.uint8)
        arguments = (buffer, size, fields, arena, cursor, 60)
        return Call(backend.decode_fixed, arguments, {}, fails, lambda: cursor.fill(0))

    data = bytearray(range(250))
    yield decoding(False, data)
    yield decoding(True, data[:-1])
    yield decoding(True, data, 3)
    yield decoding(True, data, 2**70)
    yield decoding(True, data, 5, FIELDS.tolist())


def decode_examples(backend: ModuleType) -> Iterator[Call]:
    def decoding(fails: bool, buffer: Any, room: int = 64, **changes: Any) -> Call:
        arena, cursor = Arena(SCHEMA, 9, [(room, room)] * 3), np.zeros(4, np.int64)
        arguments = {
            "schema": bytearray(SCHEMA.buffer),
            "arena": arena.memory,
            "columns": arena.table,
            "cursor": cursor,
            "max_records": 9,
            **changes,
        }
        again = lambda: cursor.fill(0)  # noqa: E731
        return Call(backend.decode_examples, (buffer, *arguments.values()), {}, fails, again)

    yield decoding(False, bytearray(RECORDS))
    yield decoding(True, damaged())
    yield decoding(True, bytearray(RECORDS), 2)
    yield decoding(True, str(RECORDS))
    yield decoding(True, bytearray(RECORDS), schema=bytearray(7))
    yield decoding(True, bytearray(RECORDS), arena=None)
    yield decoding(True, bytearray(RECORDS), columns=np.zeros((3, 9), np.int64))
    yield decoding(True, bytearray(RECORDS), cursor=np.full(4, -1))
    yield decoding(True, bytearray(RECORDS), max_records="9")


# ---- tokenizer -----------------------------------------------------------------------------


class NoModel:
    """Looks like a model, and is none."""

    special_names = ()
    default_policy = b""

    def __init__(self) -> None:
        self.blob = np.zeros(4096, np.uint8)


def tokenizer(backend: ModuleType) -> Iterator[Call]:
    model = small_model()
    one = backend.Tokenizer(model)
    yield call(backend.Tokenizer, model)
    yield failing(backend.Tokenizer, NoModel())
    yield failing(backend.Tokenizer)
    yield call(one.__reduce__)
    yield from encoding(one)
    yield from batches(one)
    ids = one.encode(TEXT, allowed_special="all")
    yield call(one.decode, ids)
    yield call(one.decode, np.full(4096, 97, np.uint32))
    yield failing(one.decode, ids.astype(np.int64))
    yield failing(one.decode, np.append(ids, np.uint32(2**31)))


def encoding(one: Any) -> Iterator[Call]:
    plain, special, wrong = "plain " + TEXT[:20], "x" + TEXT, TEXT.encode()
    yield call(one.encode, plain)
    yield call(one.encode, special, allowed_special={"<|end|>"}, disallowed_special=())
    yield call(one.encode, plain + "\ud800")
    yield call(one.encode, "a\n" * 1024)
    yield failing(one.encode, special)
    yield failing(one.encode, wrong)
    yield failing(one.encode, special, allowed_special={"nobody"})
    yield call(one.count, special)
    yield failing(one.count, wrong)
    yield call(one.split, special)
    yield failing(one.split, wrong)
    out = np.zeros(99, np.uint32)
    yield call(one.encode_into, bytearray(wrong), out)
    yield failing(one.encode_into, bytearray(wrong + b"\xff"), out)
    yield failing(one.encode_into, bytearray(wrong), out[:3])
    yield failing(one.encode_into, bytearray(wrong), out[::2])
    yield failing(one.encode_into, special, out)


def batches(one: Any) -> Iterator[Call]:
    texts = [f"{i}: plain" for i in range(9)]
    yield call(one.encode_batch, texts)
    yield call(one.encode_batch, tuple(texts), allowed_special="all")
    yield call(one.encode_batch, [*texts, "\ud800"])
    yield failing(one.encode_batch, [*texts, TEXT])
    yield failing(one.encode_batch, [*texts, TEXT.encode()])
    yield failing(one.encode_batch, "".join(texts))
    yield failing(one.encode_batch, texts, 0)


# ---- probes --------------------------------------------------------------------------------


def probes(backend: ModuleType) -> Iterator[Call]:
    probes, big, real = backend.probes, int("1" * 15), float("1.25")
    yield call(backend.about)
    yield call(probes.noop)
    yield call(probes.noop_nogil)
    yield call(probes.add_int, big, big + 1)
    yield failing(probes.add_int, big, real)
    yield failing(probes.add_int, big**5, big)
    yield call(probes.add_float, real, real * 3)
    yield failing(probes.add_float, real, str(real))
    yield call(probes.six_scalars, big, real, big + 1, real * 3, big + 2, real * 5)
    yield failing(probes.six_scalars, big, real, big + 1, str(real), big + 2, real * 5)
    yield call(probes.keywords, real, scale=real * 3)
    yield failing(probes.keywords, real, scale=str(real))
    yield failing(probes.keywords, real, nothing=real * 3)
    yield call(probes.array_out, 8192)  # 64 KB
    yield failing(probes.array_out, -big)
    yield from memory(probes)
    yield from callbacks(probes)
    yield call(probes.error, 0)
    yield failing(probes.error, 1234)
    yield failing(probes.error, big)


def memory(probes: Any) -> Iterator[Call]:
    text, values = "wörld" * 9, np.arange(50.0)
    yield call(probes.str_in, text)
    yield failing(probes.str_in, text + "\ud800")
    yield failing(probes.str_in, text.encode())
    yield call(probes.bytes_in, text.encode())
    yield failing(probes.bytes_in, text)
    yield call(probes.array_in, values)
    yield failing(probes.array_in, values[::2])
    yield failing(probes.array_in, values.astype(np.float32))
    yield failing(probes.array_in, values.tolist())
    yield call(probes.list_in, values.tolist())
    yield failing(probes.list_in, [*values.tolist(), text])
    yield failing(probes.list_in, tuple("text"))


def callbacks(probes: Any) -> Iterator[Call]:
    def double(x: float) -> float:
        return x * 2

    def raises(x: float) -> float:
        raise Oops(x)

    real = float("1.25")
    yield call(probes.callback, double, real)
    yield failing(probes.callback, raises, real)
    yield failing(probes.callback, lambda x: "text", real)
    yield failing(probes.callback, lambda: real, real)
    yield failing(probes.callback, double, str(real))
    yield failing(probes.callback, str(real), real)


# By the part of a backend that each needs: doors.PARTS.
CALLS: dict[str, dict[str, Callable[[ModuleType], Iterator[Call]]]] = {
    "matmul": {"matmul": matmul, "index_records": index_records, "decode_fixed": decode_fixed},
    "Tokenizer": {"tokenizer": tokenizer, "decode_examples": decode_examples, "probes": probes},
}
