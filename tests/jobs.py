"""One piece of work for each kernel and for the probes, with an outcome that can be compared.

A job sets up inputs, to be shared by all who run it, and returns the work: a function that makes
its own outputs. Nothing here needs pytest: a fresh process can run it too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from bindings.errors import RecordError
from bindings.records import Schema, encode_example, frame
from bindings.records.arena import Arena
from bindings.tokenizer import Model

Work = Callable[[], Any]

SCHEMA = Schema({"i": "int64", "f": ("float32", 2), "b": "bytes"})
ROWS = [{"i": [1, -1, 300], "f": [0.5, 2.0], "b": [b"xyz", b""]}, {"f": [3.0, 4.0], "b": b"q"}]
RECORDS = b"".join(frame(encode_example(row)) for row in ROWS)
FIELDS = np.array([[0, 1, 1, 0, 0], [1, 4, 1, 1, 256]])  # a byte and a big-endian int32
TEXT = "Hello wörld, it's 12345 tokens\n\n of 漢字 <|end|> and more. "


@cache
def small_model() -> Model:
    """Bytes, a few merges and a special token."""
    ranks = {bytes([i]): i for i in range(256)}
    ranks.update({token: 256 + i for i, token in enumerate([b"ll", b"ell", b"en", b" to", b"an"])})
    return Model.from_ranks(ranks, pattern="gpt2", special_tokens={"<|end|>": 300})


def matmul(backend: ModuleType) -> Work:
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((9, 20)), rng.standard_normal((20, 33))
    return lambda: (backend.matmul(a, b).tobytes(), backend.matmul(b.T, a.T, threads=2).tobytes())


def index_records(backend: ModuleType) -> Work:
    buffer = bytearray(RECORDS)

    def work() -> Any:
        spans, cursor = np.zeros((4, 2), np.int64), np.zeros(4, np.int64)
        return backend.index_records(buffer, spans, cursor), spans.tolist(), cursor.tolist()

    return work


def decode_examples(backend: ModuleType) -> Work:
    """Good records, then a damaged one: the results and the error."""
    buffer = bytearray(RECORDS * 4)
    buffer[-1] ^= 1

    def work() -> Any:
        arena, cursor = Arena(SCHEMA, 10, [(64, 64)] * 3), np.zeros(4, np.int64)
        arena.memory[:] = 0
        try:
            backend.decode_examples(buffer, SCHEMA.buffer, arena.memory, arena.table, cursor, 10)
        except RecordError as error:
            return str(error), cursor.tolist(), arena.table.tolist(), arena.memory.tobytes()

    return work


def decode_fixed(backend: ModuleType) -> Work:
    buffer = bytearray(range(250))

    def work() -> Any:
        arena, cursor = np.zeros(1024, np.uint8), np.zeros(4, np.int64)
        rows = backend.decode_fixed(buffer, 5, FIELDS, arena, cursor, 60)
        return rows, arena.tobytes(), cursor.tolist()

    return work


def tokenizer(backend: ModuleType) -> Work:
    shared, text = backend.Tokenizer(small_model()), TEXT.encode()

    def work() -> Any:
        out = np.zeros(len(text), np.uint32)
        ids, offsets = shared.encode_batch([TEXT, "", TEXT * 2], 2, disallowed_special=())
        return (
            shared.encode_into(text, out),
            out.tolist(),
            shared.encode(TEXT, allowed_special="all").tolist(),
            (ids.tolist(), offsets.tolist()),
            (shared.count(TEXT), shared.split(TEXT).tolist(), shared.decode(ids)),
        )

    return work


def probes(backend: ModuleType) -> Work:
    probes, values = backend.probes, np.arange(50.0)

    def double(x: float) -> float:
        return x * 2

    def work() -> Any:
        return (
            *(probes.noop(), probes.noop_nogil(), probes.add_int(2**40, 3)),
            *(probes.add_float(0.5, 2.0), probes.six_scalars(1, 2.5, 3, 4.5, 5, 6.5)),
            *(probes.keywords(2.0, scale=3.0), probes.str_in("wörld"), probes.bytes_in(b"abc")),
            *(probes.array_in(values), probes.array_out(9).tolist(), probes.list_in([1.5, 2.5])),
            *(probes.callback(double, 4.0), probes.error(0)),
        )

    return work


# By the part of a backend that each needs: conftest.PARTS.
JOBS: dict[str, dict[str, Callable[[ModuleType], Work]]] = {
    "matmul": {"matmul": matmul, "index_records": index_records, "decode_fixed": decode_fixed},
    "Tokenizer": {"tokenizer": tokenizer, "decode_examples": decode_examples, "probes": probes},
}
