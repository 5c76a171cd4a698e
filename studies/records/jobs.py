"""The timed work, done by every binding and by the baselines."""

from __future__ import annotations

from functools import cache, partial
from types import ModuleType

import numpy as np

from benchmarks.ledger import inputs
from ffi_cookbook.records import Schema, encode_example, frame
from studies.records.files import BATCH, File, loops
from studies.records.libraries import libraries
from studies.study import Contender, Setting

IN_C, MEMORY = "loop in C", "memory read"
LARGE = 512 << 20  # bytes, far more than the caches of a core
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


@cache
def _clicks(megabytes: int = 64) -> File:
    """Return Examples of a label, 13 floats, 26 ids and 0 to 39 more."""
    whole = b"".join(inputs.clicks(8192))
    return File(whole * (megabytes * 1_000_000 // len(whole)), inputs.SCHEMA)


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
