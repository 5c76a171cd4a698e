"""Operands for the functions of the protocol, drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from ffi_cookbook import records, tokenizer
from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS as TABLE
from ffi_cookbook.bindings.protocol.pattern_table import text

Draw: TypeAlias = Callable[[random.Random], tuple[Any, ...]]


def frames(draw: random.Random) -> tuple[Any, ...]:
    """Return the arguments of index_records for some records."""
    payloads = [draw.randbytes(draw.randint(0, 300)) for _ in range(64)]
    data = b"".join(map(records.frame, payloads))
    return data, np.zeros((len(payloads), 2), np.int64), np.zeros(4, np.int64)


def matrices(draw: random.Random) -> tuple[Any, ...]:
    """Return two square float32 matrices."""
    generator = np.random.default_rng(draw.randrange(2**32))
    return tuple(generator.standard_normal((64, 64), np.float32) for _ in range(2))


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


LEFT_OUT = ("dlpack_in", "error", "error_fields", "interruptible", "shifted")
PATTERNS: dict[str, Draw] = {
    name: pattern.accepted
    for name, pattern in TABLE.items()
    if pattern.page != "objects" and name not in LEFT_OUT
}
KERNELS: dict[str, Draw] = {
    "matmul": matrices,
    "index_records": frames,
}
METHODS: dict[str, Draw] = {
    "Tokenizer.encode": lambda draw: (page(draw),),
    "Tokenizer.count": lambda draw: (page(draw).encode(),),
    "Tokenizer.split": lambda draw: (page(draw),),
    "Tokenizer.decode": lambda draw: (ids(draw),),
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
