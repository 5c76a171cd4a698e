"""Every way to call the probes and the kernels that ends well, and the ways that end badly.

For tests that repeat a call many times over: each is made of objects of its own, so that nothing
immortal or shared hides what a call does to its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from doors import REFUSALS
from jobs import FIELDS, RECORDS, SCHEMA, SPANS, TEXT, small_model

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
            except (*REFUSALS, AttributeError, BufferError, Oops):
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
    yield call(function, np.stack([a, a]), b)
    yield call(function, np.stack([a, a]), np.stack([b, b]), out=np.ones((2, 3, 5)))
    yield failing(function, a, a)
    yield failing(function, np.stack([a, a]), np.stack([b, b, b]))
    yield failing(function, np.stack([a, a]), b, out=np.ones((3, 3, 5)))
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


def gather_examples(backend: ModuleType) -> Iterator[Call]:
    def gathering(fails: bool, buffer: Any, spans: Any, room: int = 64) -> Call:
        arena, cursor = Arena(SCHEMA, 9, [(room, room)] * 3), np.zeros(4, np.int64)
        tables = arena.memory, arena.table, cursor
        arguments = (buffer, spans, bytearray(SCHEMA.buffer), *tables)
        return Call(backend.gather_examples, arguments, {}, fails, lambda: cursor.fill(0))

    yield gathering(False, bytearray(RECORDS), SPANS.copy())
    yield gathering(True, damaged(), SPANS.copy())
    yield gathering(True, bytearray(RECORDS), SPANS + 1)
    yield gathering(True, bytearray(RECORDS), SPANS.T)
    yield gathering(True, bytearray(RECORDS), SPANS.tolist())
    yield gathering(True, bytearray(RECORDS), SPANS.copy(), room=2)


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
    plain, special, data = "plain " + TEXT[:20], "x" + TEXT, TEXT.encode()
    wrong = data + b"\xff"
    yield call(one.encode, plain)
    yield call(one.encode, special, allowed_special={"<|end|>"}, disallowed_special=())
    yield call(one.encode, plain + "\ud800")
    yield call(one.encode, "a\n" * 1024)
    yield failing(one.encode, special)
    yield call(one.encode, bytes(bytearray(plain, "utf-8")))
    yield failing(one.encode, wrong)
    yield failing(one.encode, bytearray(data))
    yield failing(one.encode, special, allowed_special={"nobody"})
    yield call(one.count, special)
    yield call(one.count, data + b"y")
    yield failing(one.count, wrong)
    yield call(one.split, special)
    yield call(one.split, data + b"y")
    yield failing(one.split, wrong)
    out = np.zeros(99, np.uint32)
    yield call(one.encode_into, bytearray(data), out)
    yield failing(one.encode_into, bytearray(wrong), out)
    yield failing(one.encode_into, bytearray(data), out[:3])
    yield failing(one.encode_into, bytearray(data), out[::2])
    yield failing(one.encode_into, special, out)


def batches(one: Any) -> Iterator[Call]:
    texts = [f"{i}: plain" for i in range(9)]
    yield call(one.encode_batch, texts)
    yield call(one.encode_batch, tuple(texts), allowed_special="all")
    yield call(one.encode_batch, [*texts, "\ud800"])
    yield call(one.encode_batch, [*texts, texts[0].encode()])
    yield failing(one.encode_batch, [*texts, b"\xff"])
    yield failing(one.encode_batch, [*texts, TEXT])
    yield failing(one.encode_batch, [*texts, TEXT.encode()])
    yield failing(one.encode_batch, "".join(texts))
    yield failing(one.encode_batch, texts, 0)


# ---- probes --------------------------------------------------------------------------------


def probes(backend: ModuleType) -> Iterator[Call]:
    yield call(backend.about)
    for page in (scalars, text, arrays, containers, objects, callbacks, errors, mixed):
        yield from page(backend.probes)


def scalars(probes: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    yield call(probes.noop)
    yield call(probes.noop_nogil)
    yield call(probes.int_in, big)
    yield failing(probes.int_in, big**5)
    yield call(probes.int_out)
    yield call(probes.invert, True)
    yield failing(probes.invert, big)
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


def text(probes: Any) -> Iterator[Call]:
    text = "wörld" * 9
    yield call(probes.str_in, text)
    yield failing(probes.str_in, text + "\ud800")
    yield failing(probes.str_in, text.encode())
    yield call(probes.str_out)
    yield call(probes.bytes_in, text.encode())
    yield failing(probes.bytes_in, text)
    yield call(probes.bytes_out)
    yield call(probes.bytes_map, text.encode())
    yield failing(probes.bytes_map, text)
    yield call(probes.buffer_in, bytearray(text.encode()))
    yield failing(probes.buffer_in, memoryview(text.encode())[::2])
    yield failing(probes.buffer_in, text)


def arrays(probes: Any) -> Iterator[Call]:
    values, big = np.arange(50.0), int("1" * 15)
    yield call(probes.array_in, values)
    yield failing(probes.array_in, values[::2])
    yield failing(probes.array_in, values.astype(np.float32))
    yield failing(probes.array_in, values.tolist())
    yield call(probes.array_in_nogil, values)
    yield failing(probes.array_in_nogil, values[::2])
    yield call(probes.strided_in, values[::-2])
    yield failing(probes.strided_in, values.reshape(5, 10))
    yield call(probes.array_out, 8192)  # 64 KB
    yield failing(probes.array_out, -big)
    yield call(probes.array_map, values)
    yield failing(probes.array_map, values[::2])
    yield failing(probes.array_map, values.tolist())
    yield call(probes.array_inplace, np.ones(50), float("1.0"))
    yield failing(probes.array_inplace, values[::2], float("1.0"))
    yield call(probes.dlpack_in, values)
    yield failing(probes.dlpack_in, values[::2])
    yield failing(probes.dlpack_in, values.astype(np.float32))
    yield failing(probes.dlpack_in, values.tolist())


def containers(probes: Any) -> Iterator[Call]:
    values, texts, big = np.arange(9.0).tolist(), [f"wörld {i}" for i in range(9)], int("1" * 15)
    weights = dict(zip(texts, values, strict=True))
    yield call(probes.list_in, values)
    yield failing(probes.list_in, [*values, texts[0]])
    yield failing(probes.list_in, tuple("text"))
    yield call(probes.list_out, 100)
    yield failing(probes.list_out, -big)
    yield failing(probes.list_out, str(big))
    yield call(probes.strings_in, texts)
    yield failing(probes.strings_in, [*texts, "\ud800" + texts[0]])
    yield failing(probes.strings_in, [*texts, values[1]])
    yield call(probes.dict_in, weights)
    yield failing(probes.dict_in, {**weights, "text": texts[0]})
    yield failing(probes.dict_in, {**weights, values[1]: values[1]})
    yield call(probes.tuple_out, big, big + 1)
    yield failing(probes.tuple_out, big, str(big))


def objects(probes: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    point, counter, value = probes.Point(real, real), probes.Counter(big), "value"
    yield call(probes.Point, real, real * 3)
    yield failing(probes.Point, real, str(real))
    yield call(getattr, point, "x")
    yield call(probes.struct_in, point)
    yield failing(probes.struct_in, (real, real))
    yield call(probes.struct_out, real, real * 3)
    yield failing(probes.struct_out, real, str(real))
    yield call(probes.Counter, big)
    yield failing(probes.Counter, str(big))
    yield failing(probes.Counter)
    yield call(getattr, counter, value)
    yield call(setattr, counter, value, big)
    yield failing(setattr, counter, value, str(big))
    yield failing(delattr, counter, value)
    yield call(probes.Counter(5).add, big)
    yield failing(counter.add, real)
    yield call(lambda n: sum(probes.countdown(n)), 3)
    yield call(lambda n: next(probes.countdown(n)), big)
    yield failing(probes.countdown, str(big))


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


def errors(probes: Any) -> Iterator[Call]:
    big = int("1" * 15)
    yield call(probes.error, 0)
    yield failing(probes.error, 1234)
    yield failing(probes.error, big)
    yield call(probes.error_fields, 0, big)
    yield failing(probes.error_fields, 1234, big)
    yield failing(probes.error_fields, 1234, big**5)
    yield call(probes.interruptible, 9)
    yield failing(probes.interruptible, -big)


def mixed(probes: Any) -> Iterator[Call]:
    text, values, big, real = "wörld" * 9, np.arange(50.0), int("1" * 15), float("1.25")
    yield call(probes.add_three, big, big + 1, big + 2)
    yield failing(probes.add_three, big, big + 1, big**5)
    yield call(probes.score, text, big, real)
    yield failing(probes.score, text, big, text)
    yield call(probes.stamp, text.encode(), 7)
    yield failing(probes.stamp, text.encode(), big)
    yield call(probes.scaled, values, real)
    yield failing(probes.scaled, values[:1], text)
    yield failing(probes.scaled, values[::2], real)
    yield call(probes.shifted, values, big, text)
    yield failing(probes.shifted, values, big, text + "\ud800")
    yield failing(probes.shifted, values[::2], big, text)


# By the part of a backend that each needs: doors.PARTS.
CALLS: dict[str, dict[str, Callable[[ModuleType], Iterator[Call]]]] = {
    "matmul": {"matmul": matmul, "index_records": index_records, "decode_fixed": decode_fixed},
    "Tokenizer": {
        "tokenizer": tokenizer,
        "decode_examples": decode_examples,
        "gather_examples": gather_examples,
        "probes": probes,
    },
}
