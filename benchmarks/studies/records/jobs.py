"""The timed work, done by every binding and by the baselines."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from types import ModuleType

import numpy as np

import ffi_cookbook
from benchmarks.ledger import inputs
from benchmarks.studies.records.files import BATCH, File, loops
from benchmarks.studies.records.libraries import libraries
from benchmarks.study import Contender, Setting
from ffi_cookbook.records import Schema, encode_example, encode_sequence_example, frame, index

IN_C, MEMORY, CORE = "loop in C", "memory read", "counting"
ONE, TWO = ", one", ", two"
LARGE = 512 << 20  # bytes, far more than the caches of a core
Call = Callable[[], object]
Contenders = dict[str, Contender]


def examples(setting: Setting) -> Contenders:
    """Decode Examples."""
    return _decoding(_clicks(), setting)


def package(setting: Setting) -> Contenders:
    """Decode Examples, beside libraries."""
    file = _clicks()
    return libraries(setting) | _through(setting, file, file.records)


def tokens(setting: Setting) -> Contenders:
    """Decode lists of tokens."""
    rng = np.random.default_rng(1)
    framed = [frame(encode_example({"ids": rng.integers(0, 50257, 2048)})) for _ in range(BATCH)]
    file = File(b"".join(framed) * 2, Schema({"ids": ("int32", 2048)}))
    return _decoding(file, setting, 2048)


def sequences(setting: Setting) -> Contenders:
    """Decode SequenceExamples."""
    rng, framed = np.random.default_rng(1), []
    for i in range(BATCH):
        floats, ids = rng.random((13, 1), np.float32), rng.integers(0, 1 << 20, (46, 1))
        lists = {"floats": floats.tolist(), "ids": ids.tolist()}
        framed.append(frame(encode_sequence_example({"label": i % 2}, lists)))
    steps = {"floats": ("float32", 1), "ids": ("int64", 1)}
    schema = Schema({"label": ("int64", 1)}, sequence=steps)
    return _decoding(File(b"".join(framed) * 4, schema), setting)


def scan(setting: Setting) -> Contenders:
    """Find and verify records."""
    record = frame(np.random.default_rng(1).bytes(110_000))
    data = record * (LARGE // len(record))
    spans, cursor = np.empty((LARGE // len(record), 2), np.int64), np.zeros(4, np.int64)

    def find(backend: ModuleType) -> None:
        cursor[:] = 0
        assert backend.index_records(data, spans, cursor) == len(spans)

    calls: Contenders = {
        MEMORY: (partial(loops(setting.folder).read_memory, data, len(data)), len(data))
    }
    return calls | {
        name: (partial(find, backend), len(data)) for name, backend in setting.backends.items()
    }


def gathers(setting: Setting) -> Contenders:
    """Decode records in random order."""
    file = _clicks(256)
    spans, table = np.random.default_rng(1).permutation(index(file.data)), file.arena.table
    spans = spans[: len(spans) // BATCH * BATCH].reshape(-1, BATCH, 2)
    turn, cursor, memory = iter(range(1 << 60)), np.zeros(4, np.int64), file.arena.memory

    def gather(backend: ModuleType, verify: bool, turn: Iterator[int] = turn) -> None:
        cursor[:] = 0
        some, names = spans[next(turn) % len(spans)], file.schema.buffer
        backend.gather_examples(file.data, some, names, memory, table, cursor, verify)

    def gathered(backend: ModuleType) -> bytes:
        gather(backend, True, iter([0]))  # beyond the values, memory may hold anything
        return pickle.dumps(file.arena.batch(BATCH))

    wanted = gathered(ffi_cookbook.load("python"))
    calls: Contenders = {IN_C: (partial(file.decode_in_c, setting.folder), file.records)}
    for name, backend in setting.backends.items():
        if not setting.right(name, gathered(backend) == wanted, "it gathers other records"):
            continue
        calls[name] = partial(gather, backend, False), BATCH
        calls[f"{name}, verified"] = partial(gather, backend, True), BATCH
    return calls


def threads(setting: Setting) -> Contenders:
    """Decode on two threads."""
    files = _clicks(), _clicks.__wrapped__()
    ways: dict[str, list[Call]] = {
        IN_C: [partial(file.decode_in_c, setting.folder) for file in files]
    }
    ways |= {
        name: [partial(file.decode, backend) for file in files]
        for name, backend in setting.backends.items()
    }
    return counting(setting) | _alone_and_together(ways)


def counting(setting: Setting) -> Contenders:
    """Count on one thread and on two, which shows what the machine allows."""
    count = partial(loops(setting.folder).count, 20_000_000)
    return _alone_and_together({CORE: [count, count]})


def _alone_and_together(ways: dict[str, list[Call]]) -> Contenders:
    pool = ThreadPoolExecutor(2)

    def together(both: list[Call]) -> None:
        list(pool.map(lambda call: call(), both))

    calls: Contenders = {}
    for name, both in ways.items():
        calls[f"{name}{ONE}"] = both[0], 1
        calls[f"{name}{TWO}"] = partial(together, both), 2
    return calls


@cache
def _clicks(megabytes: int = 64) -> File:
    """Return Examples of a label, 13 floats, 26 ids and 0 to 39 more."""
    schema, framed, _ = inputs.clicks(8192)
    whole = b"".join(framed)
    return File(whole * (megabytes * 1_000_000 // len(whole)), Schema(schema))


def _decoding(file: File, setting: Setting, each: int = 1) -> Contenders:
    amount = file.records * each
    in_c = partial(file.decode_in_c, setting.folder), amount
    return {IN_C: in_c, **_through(setting, file, amount)}


def _through(setting: Setting, file: File, amount: float) -> Contenders:
    file.check(setting)
    return {
        name: (partial(file.decode, backend), amount)
        for name, backend in setting.backends.items()
        if name not in setting.wrong
    }
