"""The answers to the whole inputs, which are timed: too large for a binding in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.ledger import inputs as made
from benchmarks.ledger.damage import PLACES, damaged, frames, refuses
from benchmarks.ledger.inputs import Inputs
from benchmarks.ledger.kernels import KERNELS, records_of
from benchmarks.ledger.normal import normal, same
from ffi_cookbook.records import read


def wrong_answers(
    backend: ModuleType, kernels: list[str], inputs: Inputs, draw: random.Random
) -> Iterator[str]:
    """Yield what is wrong with a native binding's answers to the whole inputs."""
    if "tokenizer" in kernels:
        oracle = KERNELS["tokenizer"](ffi_cookbook.load("python"), inputs, False)
        for group, job in KERNELS["tokenizer"](backend, inputs, False).items():
            if not same(normal(job.result()), normal(oracle[group].result())):
                yield f"{group}: differs from the answer in plain Python, for the whole text"
    if "records" in kernels:
        yield from _wrong_records(backend, inputs, draw)


def _wrong_records(backend: ModuleType, inputs: Inputs, draw: random.Random) -> Iterator[str]:
    """Yield the wrong jobs; one reads a file with a damaged record, which must be refused.

    The oracle of spans and of the fixed layout is NumPy. The columns are compared with those of
    parts of the file, one of which, drawn at random, is compared with what the python binding says.
    """
    jobs = KERNELS["records"](backend, inputs, False)
    records = list(frames(records_of(backend, inputs, False)))
    width = made.TICK.itemsize
    starts = np.cumsum([0, *map(len, records)])
    rows = np.frombuffer(inputs.ticks[: len(inputs.ticks) // width * width], made.TICK)
    exact = {
        "records index": np.stack([starts[:-1] + 12, np.diff(starts) - 16], axis=1),
        "records fixed": {name: rows[name] for name in made.TICK.names or ()},
    }
    for group in exact.keys() & jobs.keys():
        if not same(normal(jobs[group].result()), normal(exact[group])):
            yield f"{group}: differs from NumPy's answer, for the whole input"
    place = draw.choice([*PLACES])
    bad = replace(inputs, records=b"".join(damaged(records, place, draw)))
    damage = KERNELS["records"](backend, bad, False)
    for group in ("records index", "records decode"):
        if group in damage and not refuses(damage[group]):
            yield f"{group}: reads a whole file in which a record's {place} is damaged"
    if "records decode" not in jobs:
        return
    parts = [b"".join(records[at : at + made.SAMPLE]) for at in range(0, len(records), made.SAMPLE)]
    one = draw.randrange(len(parts))
    columns = [_columns(backend, part, inputs) for part in parts]
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    python = ffi_cookbook.load("python")
    if not same(columns[one], _columns(python, parts[one], inputs)):
        yield f"records decode: part {one} of the file differs from the answer in plain Python"
    if not same(_columns(backend, inputs.records, inputs), joined):
        yield "records decode: differs from the answers to parts of the file"


def _columns(backend: ModuleType, data: bytes, inputs: Inputs) -> list[Any]:
    batches = read(data, inputs.schema, backend=backend, compression=None)
    return [
        np.concatenate(column) for column in zip(*(normal(one) for one in batches), strict=True)
    ]
