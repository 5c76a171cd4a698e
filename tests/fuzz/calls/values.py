"""Valid arguments, variants of them that are odd but honest, and what a case does with a result."""

from __future__ import annotations

import array
import copy
import pickle
import random
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from safety.guard_pages import guarded

from ffi_cookbook.records import Schema, encode_sequence_example, frame, index
from ffi_cookbook.records.columns.arena import Arena
from ffi_cookbook.tokenizer import Model
from support.operands import accepted

# ---- valid arguments --------------------------------------------------------------------------


def place(x: Any, where: str) -> Any:
    """Return a copy that touches an unreadable page, or on the heap, where it can be resized."""
    return np.array(x) if where == "heap" else guarded(np.asarray(x), where == "end")


def matrix(shape: tuple[int, ...], dtype: str, first: int, where: str) -> Any:
    """Return small whole numbers, so that every order of the sums gives the same bits."""
    size = int(np.prod(shape))
    return place((np.arange(first, first + size) % 13).astype(dtype).reshape(shape), where)


def operand(pattern: str, seed: int, at: int, patterns: Any, where: str) -> Any:
    """Return an argument of a pattern, from the table."""
    made = accepted(pattern, random.Random(seed), patterns)[at]
    plain = isinstance(made, np.ndarray) and made.flags.c_contiguous
    return place(made, where) if plain else made


VALUES: dict[str, list[Any]] = {
    "int64": [[1], [1, -1, 300], [], [2**40, -(2**63)], list(range(40))],
    "int32": [[1], [300, 7], [], [60000], [5] * 30],
    "float32": [[0.5], [1.5, 2.0, -1.0], [], [0.0] * 20],
    "bytes": [[b"xyz"], [b"", b"q"], [], [b"w" * 30] * 3],
}
KINDS = {name: name for name in VALUES} | {"uint16": "int32", "span": "bytes"}


@cache
def scene(seed: int, scale: int = 1) -> Any:
    """Return a file, its schema, and room for the columns, the same in every process."""
    draw = random.Random(seed)

    def field() -> Any:
        kind = draw.choice([*KINDS])
        return kind if draw.random() < 0.7 else (kind, draw.choice((1, 2, 3)))

    def values(field: Any) -> Any:
        kind, length = field if isinstance(field, tuple) else (field, None)
        found = draw.choice(VALUES[KINDS[kind]])
        exact = length is not None and draw.random() < 0.9
        return ((found or VALUES[KINDS[kind]][0]) * length)[:length] if exact else found

    fields = {f"f{i}": field() for i in range(seed % 4)}
    lists = {f"l{i}": field() for i in range(draw.choice((0, 0, 1, 2)))}
    records = []
    for _ in range(scale * draw.choice((0, 1, 2, 4))):
        context = {name: values(field) for name, field in fields.items()}
        steps = {name: [values(field) for _ in range(3)] for name, field in lists.items()}
        records.append(encode_sequence_example(context, steps))
    schema, rows = Schema(fields, sequence=lists), len(records) + 1
    data = b"".join(map(frame, records))
    room = draw.choice(((0, 0), (2, 4), (100 * scale, 200 * scale), (100 * scale, 200 * scale)))
    arena = Arena(schema, rows, [room] * len(schema.columns))
    spans = index(data, backend="python")[::-1].copy() if data else np.zeros((0, 2), np.int64)
    return SimpleNamespace(
        data=data,
        schema=schema.buffer,
        arena=np.zeros(arena.memory.size, np.uint8),
        columns=arena.table.copy(),
        rows=rows,
        spans=spans,
    )


def fixed(sizes: tuple[int, ...], count: int, rows: int) -> Any:
    """Return records of fields of these sizes, each of them `count` times."""
    fields, offset, at = [], 0, 0
    for number, size in enumerate(sizes):
        fields.append([offset, size, count, number % 2, at])
        offset += size * count
        at += -(-size * count * rows // 8) * 8
    size = offset + 1
    data = (bytes(range(256)) * (size * rows // 256 + 1))[: size * rows]
    table = np.array(fields, np.int64).reshape(-1, 5)
    return SimpleNamespace(data=data, size=size, fields=table, arena=np.zeros(at, np.uint8))


def as_buffer(data: bytes, how: int) -> Any:
    return (data, bytearray(data), guarded(np.frombuffer(data, np.uint8), True))[how]


@cache
def model(number: int) -> Model:
    """Return one of two models that differ in their pattern and their special tokens."""
    ranks = {bytes([i]): i for i in range(256)}
    ranks.update({token: 256 + i for i, token in enumerate([b"ll", b"ell", b"en", b" to", b"an"])})
    special = {"<|end|>": 300, "<|a|>": 301} if number == 0 else {}
    made = Model.from_ranks(ranks, pattern=("gpt2", "cl100k")[number], special_tokens=special)
    made._recipe = (model, (number,))  # a cheap pickle
    return made


@cache
def _tokenizer(kind: Any) -> Any:
    return kind(model(0))


def tokenizer(backend: Any, fresh: bool) -> Any:
    """Return the binding's tokenizer: one for all cases, or a new one, which may be spoiled."""
    return backend.Tokenizer(model(0)) if fresh else _tokenizer(backend.Tokenizer)


# ---- odd variants -----------------------------------------------------------------------------


def fitting(number: int, dtype: np.dtype[Any]) -> int:
    """Return a number that the dtype holds, so small that no sum of floats is rounded."""
    return number if dtype.kind == "i" and dtype.itemsize == 8 else number & 0x7F


def word(x: Any, at: int, number: int) -> Any:
    """Change a number in place."""
    x.reshape(-1)[at % max(1, x.size)] = fitting(number, x.dtype)
    return x


def strided(x: Any, step: int) -> Any:
    big = np.zeros((*x.shape[:-1], x.shape[-1] * abs(step)), x.dtype)
    big[..., ::step] = x
    return big[..., ::step]


def misaligned(x: Any, by: int) -> Any:
    y = np.zeros(x.nbytes + 8, np.uint8)[by:][: x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x
    return y


def packed(x: Any) -> Any:
    y = np.zeros(x.shape, [("v", x.dtype), ("t", "u1")])["v"]
    y[...] = x
    return y


def frozen(x: Any) -> Any:
    y = x.copy()
    y.setflags(write=False)
    return y


def inside(x: Any, host: Any, at: int) -> Any:
    """Return the same contents in the memory of another argument, or elsewhere in its own."""
    memory = host.reshape(-1).view(np.uint8)
    step = 4 if x.dtype.kind == "f" else 1  # floats stay whole and small
    start = at * step % (memory.size - x.nbytes + 1)
    y = memory[start : start + x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x.copy()
    return y


def far(x: Any, stride: int) -> Any:
    """Return one row with a false stride."""
    return np.lib.stride_tricks.as_strided(x[:1], strides=(stride, *x.strides[1:]))


def mapped(x: Any, host: Any) -> Any:
    return np.frombuffer(host, x.dtype, x.size).reshape(x.shape)


def flipped(data: Any, *bits: int) -> bytes:
    y = bytearray(data)
    for bit in bits:
        y[bit // 8 % len(y)] ^= 1 << bit % 8
    return bytes(y)


def changed_blob(blob: Any, at: int, number: int) -> Any:
    """Return the blob of a model with one number of its header or tables changed."""
    y = blob.copy()
    start = 4 * (at % (48 if at % 3 else y.size // 4))
    y[start : start + 4] = np.frombuffer((number & 0xFFFFFFFF).to_bytes(4, "little"), np.uint8)
    return y


def consumed(x: Any) -> Any:
    """Return a capsule whose tensor has been taken."""
    capsule = x.copy().__dlpack__()
    methods = {"__dlpack__": lambda self, **_: capsule, "__dlpack_device__": lambda self: (1, 0)}
    np.from_dlpack(type("Once", (), methods)())
    return capsule


def replaced(items: Any, at: int, item: Any) -> Any:
    """Return the container with one item (of a dict, one value) replaced."""
    if isinstance(items, dict):
        return {**items, list(items)[at % len(items)]: item}
    made = list(items)
    made[at % len(made)] = item
    return type(items)(made)


# ---- results ----------------------------------------------------------------------------------

REFUSED = (AttributeError, TypeError, ValueError, LookupError, StopIteration, pickle.PicklingError)


def use(x: Any, patterns: Any = None) -> None:
    """Use an object of any class in every way, though it may be half made."""
    for way in (
        lambda: x.encode_batch(["an"], 2),
        lambda: x.encode_into(b"an", np.zeros(2, np.uint32)),
        lambda: (x.encode("an"), x.count("an"), x.split("an"), x.decode(np.zeros(2, np.uint32))),
        lambda: (x.x, patterns.struct_in(x)),
        lambda: (x.value, x.add(1)),
        lambda: next(x),
        lambda: (pickle.dumps(x, 0), copy.copy(x)),
        lambda: repr(x),
    ):
        with suppress(*REFUSED):
            way()


def plain(value: Any) -> Any:
    """Return a value in a form whose repr shows all that matters."""
    if isinstance(value, (bytearray, memoryview, array.array)):
        value = np.frombuffer(value, np.uint8)
    if isinstance(value, np.ndarray):
        value = np.ndarray.view(value, np.ndarray)
        items = [plain(x) for x in value.reshape(-1).tolist()] if value.dtype.hasobject else None
        return value.dtype.str, value.shape, items or value.tolist()
    if isinstance(value, (tuple, list)):
        return type(value).__name__, [plain(item) for item in value]
    if isinstance(value, (int, float, str, bytes, type(None))):
        return type(value).__name__, value
    return type(value).__name__, plain(getattr(value, "x", None))
