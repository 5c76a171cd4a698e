"""The measurements for break-even: each kernel through each native binding and alone, by size.

All contenders of a size are timed in turn, in a new order every round. Size 0 is the empty call:
nearly all of it is the binding. Some bindings take a shortcut there, hence size 1.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from benchmarks import REFERENCES
from benchmarks.core.clock import Timed, WarmLoop, interleaved
from benchmarks.ledger import inputs as made
from benchmarks.ledger.inputs import Inputs
from benchmarks.ledger.kernels import operands
from benchmarks.ledger.model import alone
from benchmarks.ledger.model.alone import Alone
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records.columns.arena import Arena
from ffi_cookbook.tokenizer import Model

ALONE = "alone"
TEXT, TEXTS = 1 << 16, 1 << 7  # bytes in all and texts at most: of texts that come again soon, a
# processor has learnt every branch
BEFORE, NOTHING = "before", "nothing"

Samples = dict[str, dict[str, list[float]]]


class Contest(NamedTuple):
    """One size of a job: a binding's statement, its part before the call, and the kernel alone."""

    statement: str
    names: Callable[[ModuleType], dict[str, Any]]
    """The objects that the statement names, for a binding."""
    before: Timed
    alone: Alone
    calls: int = 1
    """In the statement, and in one run of the kernel alone."""


def measure(
    backends: Mapping[str, ModuleType],
    inputs: Inputs,
    rounds: int,
    slice_s: float,
    order: random.Random,
) -> Iterator[tuple[str, Samples]]:
    """Yield one process's samples by size: the seconds of a call, and of the part before it."""
    native = {name: backend for name, backend in backends.items() if name not in REFERENCES}
    if not native or missing(inputs.folder):
        return
    for kernel, (sizes, jobs) in KERNELS.items():
        contest = jobs(native, inputs)
        for n in order.sample(sizes, len(sizes)):
            yield f"even {kernel} {n}", _timed(contest(n), native, rounds, slice_s, order)


def missing(folder: Path) -> str | None:
    """Return the requirement of the break-even that is missing, or None."""
    try:
        alone.library(folder)
    except ImportError as error:
        return str(error)
    return None


def _timed(
    contest: Contest,
    backends: Mapping[str, ModuleType],
    rounds: int,
    slice_s: float,
    order: random.Random,
) -> Samples:
    loops = {
        name: Timed(contest.statement, contest.names(backend)) for name, backend in backends.items()
    }
    loops |= {BEFORE: contest.before, ALONE: contest.alone.timed, NOTHING: contest.alone.nothing}
    times = interleaved(loops, rounds, slice_s, order, WarmLoop)

    def seconds(name: str, beside: str, calls: int) -> dict[str, list[float]]:
        one, other = ([time / calls for time in times[key]] for key in (name, beside))
        return {"seconds": one, "beside": other}

    return {backend: seconds(backend, BEFORE, contest.calls) for backend in backends} | {
        ALONE: seconds(ALONE, NOTHING, contest.calls * contest.alone.calls)
    }


# ---- jobs: a binding's module to a statement by size
# ------------------------------------------------

Jobs = Callable[[int], Contest]


def _matmul(backends: Mapping[str, ModuleType], inputs: Inputs) -> Jobs:
    def contest(n: int) -> Contest:
        a, b = operands(n)
        return Contest(
            "f(a, b)",
            lambda backend: {"f": backend.matmul, "a": a, "b": b},
            Timed("pass", {}),
            alone.matmul(inputs.folder, a, b),
        )

    return contest


def _decode(backends: Mapping[str, ModuleType], inputs: Inputs) -> Jobs:
    any_backend = next(iter(backends.values()))

    def contest(n: int) -> Contest:
        arena, cursor = Arena(inputs.schema, max(n, 1)), np.zeros(4, np.int64)
        while True:
            arguments = (inputs.records, inputs.schema.buffer, arena.memory, arena.table, cursor, n)
            try:
                any_backend.decode_examples(*arguments)
                break
            except RecordError as error:
                arena = arena.grown(error, int(cursor[3]))
        names = {"reset": cursor.fill, **dict(zip("bsmtcn", arguments, strict=True))}
        return Contest(
            "reset(0); f(b, s, m, t, c, n)",
            lambda backend: {"f": backend.decode_examples, **names},
            Timed("reset(0)", {"reset": cursor.fill}),
            alone.decode(
                inputs.folder, inputs.records, inputs.schema, arena.memory, arena.table, n
            ),
        )

    return contest


def _encode(backends: Mapping[str, ModuleType], inputs: Inputs) -> Jobs:
    model = Model.load(inputs.ranks, pattern=made.PATTERN)
    encoders = {backend.__name__: backend.Tokenizer(model).encode for backend in backends.values()}
    utf8 = inputs.text.encode()

    def contest(n: int) -> Contest:
        count = min(TEXTS, TEXT // max(n, 1))
        cuts = [utf8[i * n : (i + 1) * n].decode(errors="ignore") for i in range(count)]
        return Contest(
            "for t in texts: f(t)",
            lambda backend: {"f": encoders[backend.__name__], "texts": cuts},
            Timed("for t in texts: pass", {"texts": cuts}),
            alone.encode(inputs.folder, model, [text.encode() for text in cuts]),
            count,
        )

    return contest


KERNELS: dict[str, tuple[tuple[int, ...], Callable[[Mapping[str, ModuleType], Inputs], Jobs]]] = {
    "matmul": ((0, 1, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512), _matmul),
    "decode": ((0, 1, *(2**i for i in range(3, 14))), _decode),
    "encode": ((0, 1, *(2**i for i in range(6, 17))), _encode),
}
"""By kernel its sizes (N, records, bytes), and its jobs."""
