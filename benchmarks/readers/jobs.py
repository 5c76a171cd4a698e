"""What is timed: the same work done by every binding, and by what it is held against."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import inputs
import numpy as np

from bindings.records import Schema, encode_example, encode_sequence_example, frame, index
from readers.files import BATCH, File, loops
from readers.libraries import libraries
from readers.loaders import loaders
from readers.on_ray import on_ray

IN_C, MEMORY, CORE = "loop in C", "memory read", "counting"
LARGE = 512 << 20  # bytes, far more than the caches of a core
Backends = dict[str, ModuleType]
Call = Callable[[], object]


class Job(NamedTuple):
    """Calls by name, each with how much it does, and who could not take part and why."""

    calls: dict[str, tuple[Call, float]]
    absent: dict[str, str]


def examples(backends: Backends, folder: Path) -> Job:
    """Examples of 268 bytes into columns, verified, beside the same calls made in C"""
    return _decoding(_clicks(), backends)


def package(backends: Backends, folder: Path) -> Job:
    """the same beside the tfrecord package, which verifies nothing, and protobuf"""
    file = _clicks()
    calls, absent = libraries(folder)
    return Job(calls | _through(backends, file, file.records), absent)


def tokens(backends: Backends, folder: Path) -> Job:
    """lists of 2048 tokens below 50,257 into int32, verified"""
    rng = np.random.default_rng(1)
    framed = [frame(encode_example({"ids": rng.integers(0, 50257, 2048)})) for _ in range(BATCH)]
    file = File(b"".join(framed) * 2, Schema({"ids": ("int32", 2048)}))
    return _decoding(file, backends, 2048)


def sequences(backends: Backends, folder: Path) -> Job:
    """SequenceExamples of a label and of steps of one number: 13 floats, 46 ids"""
    rng, framed = np.random.default_rng(1), []
    for i in range(BATCH):
        floats, ids = rng.random((13, 1), np.float32), rng.integers(0, 1 << 20, (46, 1))
        lists = {"floats": floats.tolist(), "ids": ids.tolist()}
        framed.append(frame(encode_sequence_example({"label": i % 2}, lists)))
    steps = {"floats": ("float32", 1), "ids": ("int64", 1)}
    schema = Schema({"label": ("int64", 1)}, sequence=steps)
    return _decoding(File(b"".join(framed) * 4, schema), backends)


def scan(backends: Backends, folder: Path) -> Job:
    """records of 110 kB found and verified, beside a sum of all bytes"""
    record = frame(np.random.default_rng(1).bytes(110_000))
    data = record * (LARGE // len(record))
    spans, cursor = np.empty((LARGE // len(record), 2), np.int64), np.zeros(4, np.int64)

    def find(backend: ModuleType) -> None:
        cursor[:] = 0
        assert backend.index_records(data, spans, cursor) == len(spans)

    calls: dict[str, tuple[Call, float]]
    calls = {MEMORY: (partial(loops().read_memory, data, len(data)), len(data))}
    return Job(
        calls | {backend: (partial(find, backends[backend]), len(data)) for backend in backends}, {}
    )


def gathers(backends: Backends, folder: Path) -> Job:
    """records of a file of 256 MB in random order, 4096 a call; CRCs not checked, as in the goal"""
    file = _clicks(256)
    spans, table = np.random.default_rng(1).permutation(index(file.data)), file.arena.table
    spans = spans[: len(spans) // BATCH * BATCH].reshape(-1, BATCH, 2)
    turn, cursor = iter(range(1 << 60)), np.zeros(4, np.int64)

    def gather(backend: ModuleType, verify: bool) -> None:
        cursor[:] = 0
        some, names = spans[next(turn) % len(spans)], file.schema.buffer
        backend.gather_examples(file.data, some, names, file.arena.memory, table, cursor, verify)

    calls: dict[str, tuple[Call, float]] = {IN_C: (file.decode_in_c, file.records)}
    for name, backend in backends.items():
        calls[name] = partial(gather, backend, False), BATCH
        calls[f"{name}, verified"] = partial(gather, backend, True), BATCH
    return Job(calls, {})


def threads(backends: Backends, folder: Path) -> Job:
    """two threads, each with a file and memory of its own, beside one"""
    files, pool = (_clicks(), _clicks.__wrapped__()), ThreadPoolExecutor(2)
    counting = [partial(loops().count, 20_000_000)] * 2
    ways: dict[str, list[Call]] = {CORE: list(counting), IN_C: [it.decode_in_c for it in files]}
    ways |= {
        name: [partial(it.decode, backend) for it in files] for name, backend in backends.items()
    }

    def together(both: list[Call]) -> None:
        list(pool.map(lambda call: call(), both))

    calls: dict[str, tuple[Call, float]] = {}
    for name, both in ways.items():
        calls[f"{name}, one"] = both[0], 1
        calls[f"{name}, two"] = partial(together, both), 2
    return Job(calls, {})


def loading(backends: Backends, folder: Path) -> Job:
    """samples of 64 floats as batches of 256, in tensors, as a training loop takes them"""
    return Job(*loaders(folder))


def ray(backends: Backends, folder: Path) -> Job:
    """Examples of 275 bytes into Arrow blocks, by tasks on a cluster of two processors"""
    return Job(*on_ray(folder))


_ALL = examples, package, tokens, sequences, scan, gathers, threads, loading, ray
JOBS = {job.__name__: job for job in _ALL}


@cache
def _clicks(megabytes: int = 64) -> File:
    """Examples of a label, 13 floats, 26 ids and 0 to 39 more."""
    schema, framed, _ = inputs.clicks(8192)
    whole = b"".join(framed)
    return File(whole * (megabytes * 1_000_000 // len(whole)), Schema(schema))


def _decoding(file: File, backends: Backends, each: int = 1) -> Job:
    file.check(backends)
    calls: dict[str, tuple[Call, float]] = {IN_C: (file.decode_in_c, file.records * each)}
    return Job(calls | _through(backends, file, file.records * each), {})


def _through(backends: Backends, file: File, amount: float) -> dict[str, tuple[Call, float]]:
    return {name: (partial(file.decode, backend), amount) for name, backend in backends.items()}
