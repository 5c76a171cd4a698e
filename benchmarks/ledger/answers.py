"""Correctness before speed: every contender's answers, compared with those of an oracle."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import numpy as np

import ffi_cookbook
from benchmarks.ledger import calls, fresh, whole
from benchmarks.ledger import inputs as made
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.damage import PLACES, damaged, frames, refuses
from benchmarks.ledger.inputs import Inputs
from benchmarks.ledger.kernels import KERNELS, SIZES, Jobs, computes_in_python
from benchmarks.ledger.normal import normal, same


def wrong_answers(
    backend: ModuleType, kernels: list[str], rows: list[str], inputs: Inputs
) -> list[str]:
    """Return the wrong results of a binding.

    The oracle of matmul is NumPy in double precision; for the other kernels it is the python
    binding. Small inputs are new in every run; `whole` compares the large ones, which are timed.
    """
    complaints = []
    draw = random.Random()
    if "patterns" in kernels and backend.__name__ != "ffi_cookbook.bindings.numpy":
        complaints += calls.wrong_answers(backend, rows)
        complaints += fresh.wrong_rows(backend, rows, draw)
    for kernel in KERNELS.keys() & kernels:
        for one in (inputs, shuffled(inputs, draw))[: 1 if kernel == "matmul" else 2]:
            complaints += _compared(kernel, KERNELS[kernel](backend, one, True), one)
    if "records" in kernels:
        complaints += _accepts_damage(backend, inputs, draw)
    if not computes_in_python(backend):
        complaints += whole.wrong_answers(backend, kernels, inputs, draw)
    return complaints


def wrong_baseline(kernel: str, name: str, inputs: Inputs) -> list[str]:
    """Return the faults in a library's answers, or in our use of it."""
    return _compared(kernel, BASELINES[kernel][name](inputs, True), inputs)


def shuffled(inputs: Inputs, draw: random.Random) -> Inputs:
    """Return new inputs: the same records and words, in another order."""
    records = list(frames(inputs.sample))
    words = inputs.text.split(" ")
    draw.shuffle(records)
    draw.shuffle(words)
    ticks = np.frombuffer(inputs.ticks, made.TICK)
    order = np.random.default_rng(draw.randrange(2**32)).permutation(len(ticks))
    return replace(
        inputs, sample=b"".join(records), text=" ".join(words), ticks=ticks[order].tobytes()
    )


def _accepts_damage(backend: ModuleType, inputs: Inputs, draw: random.Random) -> Iterator[str]:
    """Yield the jobs that accept a record with one wrong bit."""
    records = list(frames(inputs.sample))
    for place in PLACES:
        bad = replace(inputs, sample=b"".join(damaged(records, place, draw)))
        for group, job in KERNELS["records"](backend, bad, True).items():
            if group in ("records index", "records decode") and not refuses(job):
                yield f"{group}: reads a record whose {place} is damaged"


def _compared(kernel: str, jobs: Jobs, inputs: Inputs) -> list[str]:
    if kernel == "matmul":
        return list(_wrong_products(jobs))
    texts = {group: job.names["t"] for group, job in jobs.items() if "t" in job.names}
    counts = {group: sys.getrefcount(texts[group]) for group in texts}
    oracle = KERNELS[kernel](ffi_cookbook.load("python"), inputs, True)
    complaints = [
        f"{group}: differs from the answer in plain Python"
        for group, job in jobs.items()
        if not same(normal(job.result()), normal(oracle[group].result()))
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
    for n in SIZES:
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
