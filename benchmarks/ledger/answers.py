"""Correctness before speed: every contender's answers, compared with those of an oracle.

Small inputs are new in every run. The whole inputs, which are timed, are too large for a binding in
plain Python: their answers are compared with NumPy's, or with those to parts of them.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.ledger import fresh
from benchmarks.ledger import inputs as made
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.inputs import Inputs, frames
from benchmarks.ledger.kernels import KERNELS, SIZES, Contender, Jobs, computes_in_python
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records import Batch, Ragged, read

TRIES, CACHED = 5, 3.0  # calls, and how much quicker they may be with an input that they know
PLACES = {"length CRC": (8, 12), "data": (46, 98), "data CRC": (-4, None)}
"""By name, where a wrong bit is seen by nothing but a CRC: of the data, the 13 floats."""


def wrong_answers(
    backend: ModuleType, kernels: list[str], rows: list[str], inputs: Inputs
) -> list[str]:
    """Return the wrong results of a binding.

    The oracle of matmul is NumPy in double precision; for the other small inputs it is the python
    binding.
    """
    complaints = []
    draw = random.Random()
    other = replace(inputs, sample=_turned(inputs.sample, draw), text=_turned(inputs.text, draw))
    if "patterns" in kernels and backend.__name__ != "ffi_cookbook.bindings.numpy":
        complaints += fresh.wrong_rows(backend, rows, draw)
    for kernel in KERNELS.keys() & kernels:
        for one in (inputs, other)[: 1 if kernel == "matmul" else 2]:
            complaints += _compared(kernel, KERNELS[kernel](backend, one, True), one)
        if not (complaints or computes_in_python(backend)):
            complaints += _cached(KERNELS[kernel](backend, inputs, True), draw)
    if "records" in kernels:
        for place in PLACES:
            complaints += _accepts_damage(backend, inputs, place, draw, True)
    if "tokenizer" in kernels and not computes_in_python(backend):
        jobs = KERNELS["tokenizer"](backend, inputs, False)
        complaints += _compared("tokenizer", jobs, inputs, small=False)
    if "records" in kernels and not computes_in_python(backend):
        complaints += _wrong_records(backend, inputs, draw)
    return complaints


def wrong_baseline(kernel: str, name: str, inputs: Inputs) -> list[str]:
    """Return the faults in a library's answers, or in our use of it."""
    return _compared(kernel, BASELINES[kernel][name](inputs, True), inputs)


def _compared(kernel: str, jobs: Jobs, inputs: Inputs, small: bool = True) -> list[str]:
    if kernel == "matmul":
        return list(_wrong_products(jobs))
    if kernel == "attention":  # compared when its jobs were made
        return []
    texts = {group: job.names["t"] for group, job in jobs.items()}
    counts = {group: sys.getrefcount(texts[group]) for group in texts}
    oracle = KERNELS[kernel](ffi_cookbook.load("python"), inputs, small)
    complaints = [
        f"{group}: differs from the answer in plain Python{', for the whole text' * (not small)}"
        for group, job in jobs.items()
        if not equal(normal(job.result()), normal(oracle[group].result()))
    ]
    del oracle
    gc.collect()  # the readers in Python make cycles
    kept = [group for group in texts if sys.getrefcount(texts[group]) > counts[group]]
    return complaints + [f"{group}: keeps the input" for group in kept]


def _wrong_products(jobs: Jobs) -> Iterator[str]:
    """Yield the sizes, among those that are timed and many others, at which a product is wrong.

    Each size runs twice with the same arrays, whose values change in between. The first product is
    compared after the second one was made.
    """
    asked = {int(group.split()[1]): job for group, job in jobs.items()}
    if not asked:
        return
    function = next(iter(asked.values())).names["f"]
    generator = np.random.default_rng()
    for n in (*range(1, 64), *range(64, 512, 8), *SIZES[-2:]):
        if n > max(asked):
            return
        a, b = (np.empty((n, n), np.float32) for _ in "ab")
        found = []
        for _ in range(2):
            a[...], b[...] = (generator.standard_normal((n, n), np.float32) for _ in "ab")
            lengths = np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=0))
            bound = min(n, 4 * n**0.5 + 8) * 2.0**-24 * lengths
            found.append((function(a, b), a.astype(np.float64) @ b, bound))
        if not all((abs(product - exact) <= bound).all() for product, exact, bound in found):
            yield f"matmul {n}: beyond the error bound"


def _cached(jobs: Jobs, draw: random.Random) -> Iterator[str]:
    """Yield the jobs that take much longer with an input that is new than with the one before."""
    for group, job in jobs.items():
        names = [{name: _turned(job.names[name], draw) for name in job.names} for _ in range(TRIES)]
        new = min(_seconds(job._replace(names=one)) for one in names)
        if (ratio := new / min(_seconds(job) for _ in names)) > CACHED:
            yield f"{group}: takes {ratio:.0f} times as long with a new input"


def _seconds(job: Contender) -> float:
    start = time.process_time()
    job.result()
    return time.process_time() - start


def _turned(value: Any, draw: random.Random) -> Any:
    """Return a matrix with the same rows, or a text with the same words, from another one on."""
    if callable(value):
        return value
    if isinstance(value, np.ndarray):
        return np.roll(value, draw.randrange(1, len(value)), axis=0)
    parts: Any = value.split(" ") if isinstance(value, str) else [*frames(value)]
    at = draw.randrange(1, len(parts))
    joint: Any = " " if isinstance(value, str) else b""
    return joint.join(parts[at:] + parts[:at])


def _accepts_damage(
    backend: ModuleType, inputs: Inputs, place: str, draw: random.Random, sample: bool
) -> Iterator[str]:
    """Yield the jobs that accept a record with one wrong bit."""
    records = list(frames(inputs.sample if sample else inputs.records))
    at = draw.randrange(len(records))
    bad = bytearray(records[at])
    bad[draw.choice(range(len(bad))[slice(*PLACES[place])])] ^= 1 << draw.randrange(8)
    data = b"".join([*records[:at], bytes(bad), *records[at + 1 :]])
    jobs = KERNELS["records"](backend, replace(inputs, sample=data, records=data), sample)
    for group, job in jobs.items():
        try:
            job.result()
        except RecordError:
            continue
        what = "a record whose" if sample else "a whole file in which a record's"
        yield f"{group}: reads {what} {place} is damaged"


def _wrong_records(backend: ModuleType, inputs: Inputs, draw: random.Random) -> Iterator[str]:
    """Yield the faults in reading the whole file.

    The columns are compared with those of parts of the file, one of which, drawn at random, is
    compared with what the python binding says.
    """
    if not hasattr(backend, "decode_examples"):
        return
    yield from _accepts_damage(backend, inputs, draw.choice([*PLACES]), draw, False)
    records = list(frames(inputs.records))
    parts = [b"".join(records[at : at + made.SAMPLE]) for at in range(0, len(records), made.SAMPLE)]
    one = draw.randrange(len(parts))
    columns = [_columns(backend, part, inputs) for part in parts]
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    python = ffi_cookbook.load("python")
    if not equal(columns[one], _columns(python, parts[one], inputs)):
        yield f"records decode: part {one} of the file differs from the answer in plain Python"
    if not equal(_columns(backend, inputs.records, inputs), joined):
        yield "records decode: differs from the answers to parts of the file"


def _columns(backend: ModuleType, data: bytes, inputs: Inputs) -> list[Any]:
    batches = map(normal, read(data, inputs.schema, backend=backend, compression=None))
    return [np.concatenate(column) for column in zip(*batches, strict=True)]


def normal(result: Any) -> list[Any]:
    """Return an answer of any form as a list of arrays."""
    if hasattr(result, "ids"):  # HF tokenizers
        result = result.ids
    if isinstance(result, dict | Batch):
        return [_flat(result[name]) for name in sorted(result)]
    return [np.asarray(one) for one in (result if isinstance(result, tuple) else [result])]


def _flat(column: Any) -> Any:
    return np.asarray(column.values if isinstance(column, Ragged) else column).reshape(-1)


def equal(one: list[Any], other: list[Any]) -> bool:
    """Return True if two answers, as lists of arrays, are equal."""
    return len(one) == len(other) and all(map(np.array_equal, one, other))
