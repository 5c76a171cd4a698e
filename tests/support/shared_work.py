"""One job for each kernel and for the patterns, with an outcome that can be compared.

A job sets up inputs that all callers share, and returns the work: a function that makes its own
outputs and whose outcome depends on the number it receives, 0 to 7. Nothing here needs pytest, so
that a new process can run it too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS
from ffi_cookbook.records import Schema, encode_example, frame, index
from ffi_cookbook.records.columns.arena import Arena
from ffi_cookbook.tokenizer import Model
from support.operands import accepted

Work = Callable[[int], Any]

SCHEMA = Schema({"i": "int64", "f": ("float32", 2), "b": "bytes"})
ROWS = [{"i": [1, -1, 300], "f": [0.5, 2.0], "b": [b"xyz", b""]}, {"f": [3.0, 4.0], "b": b"q"}]
RECORDS = b"".join(frame(encode_example(row)) for row in ROWS)
SPANS = index(RECORDS, backend="python")
FIELDS = np.array([[0, 1, 1, 0, 0], [1, 4, 1, 1, 256]])  # a byte and a big-endian int32
TEXT = "Hello wörld, it's 12345 tokens\n\n of 漢字 <|end|> and more. "


@cache
def small_model() -> Model:
    """Return a model with all bytes, a few merges and a special token."""
    ranks = {bytes([i]): i for i in range(256)}
    ranks.update({token: 256 + i for i, token in enumerate([b"ll", b"ell", b"en", b" to", b"an"])})
    return Model.from_ranks(ranks, pattern="gpt2", special_tokens={"<|end|>": 300})


def matmul(backend: ModuleType) -> Work:
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((12, 20)), rng.standard_normal((20, 33))
    batch = rng.standard_normal((9, 5, 12))

    def work(i: int) -> Any:
        out = np.empty((33, 12 - i))
        return (
            backend.matmul(a[i:], b).tobytes(),
            backend.matmul(batch[i:], a, threads=2).tobytes(),
            backend.matmul(b.T, a[i:].T, out=out, threads=2).tobytes(),
        )

    return work


def index_records(backend: ModuleType) -> Work:
    buffer = bytearray(RECORDS * 4)

    def work(i: int) -> Any:
        spans, cursor = np.zeros((8 - i, 2), np.int64), np.array([i, 0, 0, 0])
        return backend.index_records(buffer, spans, cursor), spans.tolist(), cursor.tolist()

    return work


def decode_examples(backend: ModuleType) -> Work:
    """Decode good records, then a damaged one, and return the results and any error."""
    buffer = bytearray(RECORDS * 4)
    buffer[-1] ^= 1

    def work(i: int) -> Any:
        arena, cursor, error = Arena(SCHEMA, 9, [(64, 64)] * 3), np.zeros(4, np.int64), ""
        arena.memory[:] = 0
        try:
            backend.decode_examples(buffer, SCHEMA.buffer, arena.memory, arena.table, cursor, 9 - i)
        except RecordError as caught:
            error = str(caught)
        return error, cursor.tolist(), arena.table.tolist(), arena.memory.tobytes()

    return work


def decode_fixed(backend: ModuleType) -> Work:
    buffer = bytearray(range(250))

    def work(i: int) -> Any:
        arena, cursor = np.zeros(1024, np.uint8), np.array([0, 5 * i, 0, 0])
        rows = backend.decode_fixed(buffer, 5, FIELDS, arena, cursor, 60)
        return rows, arena.tobytes(), cursor.tolist()

    return work


def tokenizer(backend: ModuleType) -> Work:
    shared, utf8 = backend.Tokenizer(small_model()), bytearray(TEXT.encode())

    def work(i: int) -> Any:
        text, out = TEXT[i:], np.zeros(len(utf8), np.uint32)
        ids, offsets = shared.encode_batch([TEXT, "", text], 2, disallowed_special=())
        return (
            # Each call has its own memoryview: without the GIL, a shared one fails at times.
            shared.encode_into(memoryview(utf8)[: -i or None], out),
            out.tolist(),
            ids.tolist(),
            offsets.tolist(),
            shared.decode(ids),
            shared.encode(text, allowed_special="all").tolist(),
            shared.count(text),
            shared.split(text).tolist(),
        )

    return work


def patterns(backend: ModuleType) -> Work:
    patterns = backend.patterns

    def work(i: int) -> Any:
        found = []
        for name in PATTERNS:
            operands = accepted(name, Random(i), patterns)
            result = outcome(getattr(patterns, name), operands)
            written = operands[0].tolist() if name == "array_inplace" else None
            found.append((name, written, result))
        return found

    return work


def outcome(function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """Return the result of a call in a form that can be compared."""
    result = function(*operands)
    if hasattr(result, "x"):
        return result.x, result.y
    if hasattr(result, "add"):
        return result.add(1), result.value
    if hasattr(result, "__next__"):
        return list(result)
    return result.tolist() if isinstance(result, np.ndarray) else result


# By the part of a backend that each needs: see backends.PARTS.
JOBS: dict[str, dict[str, Callable[[ModuleType], Work]]] = {
    "matmul": {"matmul": matmul},
    "index_records": {"index_records": index_records, "decode_fixed": decode_fixed},
    "Tokenizer": {"tokenizer": tokenizer},
    "decode_examples": {"decode_examples": decode_examples},
    "patterns": {"patterns": patterns},
}
