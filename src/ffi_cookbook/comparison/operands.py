"""Operands for the functions of the protocol, drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from ffi_cookbook import records, tokenizer

Draw: TypeAlias = Callable[[random.Random], tuple[Any, ...]]

SIZE = 8
"""The items of an array or list, as in the published tables."""


def integer(draw: random.Random) -> int:
    """Return an int64, small or large."""
    return draw.randint(-(2 ** draw.choice([3, 31, 62])), 2 ** draw.choice([3, 31, 62]))


def number(draw: random.Random) -> float:
    """Return a float of few digits: sums of such floats are exact in any order."""
    return draw.randint(-4096, 4096) / 64


def text(draw: random.Random) -> str:
    """Return a text of 11 characters, not all of them ASCII."""
    return "".join(draw.choice("abcdefg xyzäß漢😀") for _ in range(11))


def array(draw: random.Random) -> np.ndarray:
    """Return a float64 array."""
    return np.array([number(draw) for _ in range(SIZE)])


def each(*kinds: Callable[[random.Random], Any]) -> Draw:
    """Return a function that draws one argument of each kind."""
    return lambda draw: tuple(kind(draw) for kind in kinds)


def frames(draw: random.Random) -> tuple[Any, ...]:
    """Return the arguments of index_records for some records."""
    payloads = [draw.randbytes(draw.randint(0, 300)) for _ in range(64)]
    data = b"".join(map(records.frame, payloads))
    return data, np.zeros((len(payloads), 2), np.int64), np.zeros(4, np.int64)


def matrices(size: int) -> Draw:
    """Return a function that draws two square float32 matrices."""

    def drawn(draw: random.Random) -> tuple[Any, ...]:
        generator = np.random.default_rng(draw.randrange(2**32))
        return tuple(generator.standard_normal((size, size), np.float32) for _ in range(2))

    return drawn


@cache
def model() -> tokenizer.Model:
    """Return a small model, trained on the text that comes with Python."""
    ranks = tokenizer.train(tokenizer.sample_texts(20_000), 600, "gpt2")
    return tokenizer.Model.from_ranks(ranks, pattern="gpt2")


@cache
def sample() -> str:
    """Return the text from which pages are cut."""
    return "\n".join(map(str, tokenizer.sample_texts(20_000)))


def page(draw: random.Random) -> str:
    """Return about a thousand characters, mostly of ordinary text."""
    start = draw.randrange(len(sample()) - 1000)
    return f"{sample()[start : start + 970]}{text(draw)} {text(draw)}"


def ids(draw: random.Random) -> np.ndarray:
    """Return some ids of the model."""
    n = model().n_vocab
    return np.array([draw.randrange(n) for _ in range(300)], np.uint32)


PATTERNS: dict[str, Draw] = {
    "noop": each(),
    "noop_nogil": each(),
    "int_in": each(integer),
    "int_out": each(),
    "invert": each(lambda draw: draw.random() < 0.5),
    "add_int": each(integer, integer),
    "add_float": each(number, number),
    "six_scalars": each(*(lambda draw: draw.randint(-99, 99), number) * 3),
    "keywords": each(number),
    "str_in": each(text),
    "str_out": each(),
    "bytes_in": each(lambda draw: draw.randbytes(11)),
    "bytes_out": each(),
    "bytes_map": each(lambda draw: draw.randbytes(11)),
    "buffer_in": each(lambda draw: bytearray(draw.randbytes(11))),
    "array_in": each(array),
    "array_in_nogil": each(array),
    "strided_in": each(lambda draw: np.concatenate([array(draw), array(draw)])[::2]),
    "array_out": each(lambda draw: SIZE),
    "array_map": each(array),
    "array_inplace": each(array, number),
    "list_in": each(lambda draw: array(draw).tolist()),
    "list_out": each(lambda draw: SIZE),
    "strings_in": each(lambda draw: [text(draw) for _ in range(4)]),
    "dict_in": each(lambda draw: {text(draw): number(draw) for _ in range(4)}),
    "tuple_out": each(integer, integer),
    "callback": each(lambda draw: lambda x: x + 1.0, number),
    "add_three": each(integer, integer, integer),
    "score": each(text, lambda draw: draw.randint(-99, 99), number),
    "stamp": each(lambda draw: draw.randbytes(11), lambda draw: draw.randrange(256)),
    "scaled": each(array, number),
}
KERNELS: dict[str, Draw] = {
    "matmul": matrices(64),
    "index_records": frames,
}
METHODS: dict[str, Draw] = {
    "Tokenizer.encode": each(page),
    "Tokenizer.count": each(lambda draw: page(draw).encode()),
    "Tokenizer.split": each(page),
    "Tokenizer.decode": each(ids),
}
CALLS = {**PATTERNS, **KERNELS, **METHODS}
WRONG: tuple[Any, ...] = (object(), None, 2**80, "\ud800", np.zeros((2, 2, 2, 2), "i2"))
"""Values that take the place of an argument; what the protocol refuses must be refused."""


def has(module: Any, name: str) -> bool:
    """Return True if the module has the function, or the class with the method."""
    return _found(module, name) is not None


def find(module: Any, name: str) -> Callable[..., Any] | None:
    """Return the function of that name in the module or in its patterns, or None.

    A method is bound to an object made from `model()`.
    """
    found = _found(module, name)
    if found is None or "." not in name:
        return found
    kind, method = name.split(".")
    return getattr(getattr(module, kind)(model()), method)  # type: ignore[no-any-return]


def _found(module: Any, name: str) -> Callable[..., Any] | None:
    for place in (module, getattr(module, "patterns", None)):
        found = place
        for part in name.split("."):
            found = getattr(found, part, None)
        if callable(found):
            return found  # type: ignore[no-any-return]
    return None
