"""Correctness before speed: every contender's answers, compared with those of an oracle."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

import bindings
from benchmarks.ledger import calls, fresh
from benchmarks.ledger import inputs as made
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.inputs import Inputs
from benchmarks.ledger.kernels import KERNELS, SIZES, Contender, Jobs
from benchmarks.ledger.model import even
from bindings.errors import RecordError
from bindings.records import Batch, Ragged


def wrong_answers(
    backend: ModuleType, kernels: list[str], rows: list[str], inputs: Inputs
) -> list[str]:
    """Return the wrong results of a binding.

    The oracle of matmul is NumPy in double precision; for the other kernels it is the python
    binding. The inputs are new in every run.
    """
    complaints = []
    draw = random.Random()
    if "patterns" in kernels and backend.__name__ != "bindings.numpy":
        complaints += calls.wrong_answers(backend, rows)
        complaints += fresh.wrong_rows(backend, rows, draw)
    for kernel in KERNELS.keys() & kernels:
        for one in (inputs, shuffled(inputs, draw))[: 1 if kernel == "matmul" else 2]:
            complaints += _compared(kernel, KERNELS[kernel](backend, one, True), one)
    if "records" in kernels:
        complaints += _accepts_damage(backend, inputs, draw)
    if "even" in kernels and "matmul" not in kernels:
        complaints += _compared("matmul", KERNELS["matmul"](backend, inputs, True), inputs)
    return complaints


def wrong_baseline(kernel: str, name: str, inputs: Inputs) -> list[str]:
    """Return the faults in a library's answers, or in our use of it."""
    return _compared(kernel, BASELINES[kernel][name](inputs, True), inputs)


def shuffled(inputs: Inputs, draw: random.Random) -> Inputs:
    """Return new inputs: the same records and words, in another order."""
    frames = list(_frames(inputs.sample))
    words = inputs.text.split(" ")
    draw.shuffle(frames)
    draw.shuffle(words)
    ticks = np.frombuffer(inputs.ticks, made.TICK)
    order = np.random.default_rng(draw.randrange(2**32)).permutation(len(ticks))
    return replace(
        inputs, sample=b"".join(frames), text=" ".join(words), ticks=ticks[order].tobytes()
    )


def _frames(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        end = at + 16 + int.from_bytes(data[at : at + 8], "little")
        yield data[at:end]
        at = end


def _accepts_damage(backend: ModuleType, inputs: Inputs, draw: random.Random) -> Iterator[str]:
    """Yield the jobs that accept a record with one wrong bit."""
    frames = list(_frames(inputs.sample))
    number = draw.randrange(len(frames))
    size = len(frames[number])
    places = {"length CRC": (8, 12), "data": (12, size - 4), "data CRC": (size - 4, size)}
    for place, (start, end) in places.items():
        bad = bytearray(frames[number])
        bad[draw.randrange(start, end)] ^= 1 << draw.randrange(8)
        damaged = b"".join([*frames[:number], bad, *frames[number + 1 :]])
        for group, job in KERNELS["records"](
            backend, replace(inputs, sample=damaged), True
        ).items():
            if group in ("records index", "records decode") and not _refuses(job):
                yield f"{group}: reads a record whose {place} is damaged"


def _refuses(job: Contender) -> bool:
    try:
        job.result()
    except RecordError:
        return True
    return False


def _compared(kernel: str, jobs: Jobs, inputs: Inputs) -> list[str]:
    if kernel == "matmul":
        return list(_wrong_products(jobs))
    texts = {group: job.names["t"] for group, job in jobs.items() if "t" in job.names}
    counts = {group: sys.getrefcount(texts[group]) for group in texts}
    oracle = KERNELS[kernel](bindings.load("python"), inputs, True)
    complaints = [
        f"{group}: differs from the answer in plain Python"
        for group, job in jobs.items()
        if not _same(normal(job.result()), normal(oracle[group].result()))
    ]
    del oracle
    kept = [group for group in texts if sys.getrefcount(texts[group]) > counts[group]]
    return complaints + [f"{group}: keeps the text" for group in kept]


def _wrong_products(jobs: Jobs) -> Iterator[str]:
    """Yield the sizes, among all that are timed, at which a product is wrong.

    Each size runs twice with the same arrays, whose values change in between.
    """
    asked = {int(group.split()[1]): job for group, job in jobs.items() if group != "matmul peak"}
    if not asked:
        return
    function = next(iter(asked.values())).names["f"]
    generator = np.random.default_rng()
    for n in sorted({*SIZES, *even.KERNELS["matmul"][0]}):
        if n > max(asked):
            return
        a, b = (np.empty((n, n), np.float32) for _ in "ab")
        for _ in range(2):
            a[...], b[...] = (generator.standard_normal((n, n), np.float32) for _ in "ab")
            exact = a.astype(np.float64) @ b
            bound = min(n, 4 * n**0.5 + 8) * 2.0**-24 * (abs(a).astype(np.float64) @ abs(b))
            if not (abs(function(a, b) - exact) <= bound).all():
                yield f"matmul {n}: beyond the error bound"
                break


def normal(result: Any) -> list[Any]:
    """Return an answer of any form as a list of arrays."""
    if hasattr(result, "ids"):  # HF tokenizers
        result = result.ids
    if isinstance(result, list) and isinstance(result[0], dict):  # tfrecord: a dict for each record
        columns = {name: [np.atleast_1d(row[name]) for row in result] for name in result[0]}
        return [np.concatenate(columns[name]) for name in sorted(columns)]
    if isinstance(result, dict | Batch):
        return [_flat(result[name]) for name in sorted(result)]
    return [np.asarray(result)]


def _flat(column: Any) -> Any:
    values = column.values if isinstance(column, Ragged) else column
    values = values[0] if isinstance(values, tuple) else values
    return np.asarray(values).reshape(-1)


def _same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(np.array_equal, one, other))
