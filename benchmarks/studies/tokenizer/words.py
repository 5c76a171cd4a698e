"""The time of a call for two words.

Our bindings write into the caller's memory, the libraries into their own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.core.clock import Timed, interleaved
from benchmarks.core.figures import against, interval, table
from benchmarks.studies.tokenizer.bench import YARDSTICK, Bench
from benchmarks.studies.tokenizer.contenders import (
    GIGATOKEN,
    HUGGING_FACE,
    TIKTOKEN,
    gigatoken_of,
    huggingface_of,
    installed,
    tiktoken_of,
)

TEXT = "hello world"
SLICE = 5e-3  # seconds
ROUNDS = 3  # times the rounds of parts whose calls take milliseconds
Result = dict[str, Any]


def measure(bench: Bench) -> Result:
    """Return the seconds of a call, the fastest first."""
    vocabulary = bench.vocabularies[0]
    wanted = tiktoken_of(vocabulary).encode_to_numpy(TEXT)
    data, out = TEXT.encode(), np.zeros(len(TEXT), np.uint32)
    found = {YARDSTICK: bench.yardstick.timed}
    for name, backend in ffi_cookbook.available().items():
        if isinstance(backend, ffi_cookbook.BackendUnavailable) or not hasattr(
            backend, "Tokenizer"
        ):
            continue
        encode_into, out[:] = backend.Tokenizer(vocabulary.load()).encode_into, 0
        if bench.same(name, out[: encode_into(data, out)], wanted, f"{TEXT!r} into"):
            names = {"f": encode_into, "data": data, "out": out}
            found[name] = Timed("f(data, out)", names)
    for name, encode in _libraries(bench).items():
        ids = encode(TEXT)
        if bench.same(name, getattr(ids, "ids", ids), wanted, repr(TEXT)):
            found[name] = Timed("f(text)", {"f": encode, "text": TEXT})
    times = interleaved(found, ROUNDS * bench.rounds, SLICE, random.Random(1))
    yardstick = bench.yardstick.speeds(times.pop(YARDSTICK))
    ordered = sorted(times, key=lambda name: np.median(times[name]))
    return {"times": {name: times[name] for name in ordered}, YARDSTICK: yardstick}


def _libraries(bench: Bench) -> dict[str, Callable[[str], Any]]:
    vocabulary = bench.vocabularies[0]
    found: dict[str, Callable[[str], Any]] = {TIKTOKEN: tiktoken_of(vocabulary).encode_ordinary}
    if installed(GIGATOKEN):
        found[GIGATOKEN] = gigatoken_of(vocabulary).encode
    if installed(HUGGING_FACE):
        found[HUGGING_FACE] = huggingface_of(vocabulary).encode
    return {name: encode for name, encode in found.items() if name not in bench.wrong}


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return the time of each contender, and its ratio to the first binding's."""
    times = found["times"]
    rows = [
        [
            f"`{name}.encode_into`" if name in ffi_cookbook.names() else f"{name}, its own memory",
            interval(taken, scale=1e9),
            interval(against(times, name, backends[0]), " ×"),
        ]
        for name, taken in times.items()
    ]
    return table([f"{TEXT!r}".replace("'", '"'), "ns", f"of {backends[0]}"], rows)
