"""The growth of a process that encodes many distinct words on one thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.core.figures import digits, table
from benchmarks.studies.tokenizer.bench import Bench
from benchmarks.studies.tokenizer.contenders import (
    GIGATOKEN,
    Encode,
    gigatoken_of,
    installed,
    tiktoken_of,
)
from benchmarks.studies.tokenizer.heap import give_back
from benchmarks.studies.tokenizer.texts import Vocabulary

WIDTHS = (9, 12, 16, 24)
"""Letters of a word: some are short pieces to a tokenizer, some long ones."""
CHUNK = 1_000_000  # bytes, about
USUAL, FULL, OTHERS = 200, 1000, 60
"""Chunks; a library that keeps all would need gigabytes for more."""
MULTIPLIER = 1_000_000_007
"""Prime, and none of 26's factors: numbers times it, modulo 26^9, are all different."""
STATUS = Path("/proc/self/status")
Result = dict[str, dict[str, float]]


def measure(bench: Bench) -> Result | None:
    """Return by name the MB encoded and grown, or None if the system does not report it."""
    if not STATUS.exists():
        return None
    chunks = dict.fromkeys(bench.backends, FULL if bench.full else USUAL)
    if installed(GIGATOKEN) and GIGATOKEN not in bench.wrong:
        chunks[GIGATOKEN] = OTHERS
    found = {}
    for name, n in chunks.items():
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
            job = fresh.submit(growth, name, bench.vocabularies[0], n)
            right, encoded, grown = job.result()
        if bench.same(name, right, True, "distinct words"):
            found[name] = {"encoded": encoded, "grown": grown}
    return found


def growth(name: str, vocabulary: Vocabulary, n: int) -> tuple[bool, float, float]:
    """Return True if the first chunk's ids are right, the MB encoded, and the MB grown."""
    first, *_ = words(len(WIDTHS))  # made before the measurement
    wanted, out = tiktoken_of(vocabulary).encode_to_numpy(first), np.ones(CHUNK, np.uint32)
    encode = _encoder(name, vocabulary, out)
    before = _resident()
    right = np.array_equal(encode(first), wanted)
    encoded = sum(_encoded(encode, chunk) for chunk in words(n))
    return right, encoded / 1e6, _resident() - before


def _encoded(encode: Encode, chunk: str) -> int:
    encode(chunk)
    return len(chunk)


def _encoder(name: str, vocabulary: Vocabulary, out: Any) -> Encode:
    if name == GIGATOKEN:
        encode: Encode = gigatoken_of(vocabulary).encode
        return encode
    encode_into = ffi_cookbook.load(name).Tokenizer(vocabulary.load()).encode_into
    return lambda text: out[: encode_into(text.encode(), out)]


def words(chunks: int) -> Iterator[str]:
    """Return chunks of words that are all different."""
    at = 0
    for chunk in range(chunks):
        width = WIDTHS[chunk % len(WIDTHS)]
        n = CHUNK // (width + 1)
        numbers = np.arange(at, at + n, dtype=np.uint64) * MULTIPLIER % 26**9
        letters = np.full((n, width + 1), ord("q"), np.uint8)
        for place in range(9):
            letters[:, place] = ord("a") + numbers % 26
            numbers //= 26
        letters[:, width] = ord(" ")
        at += n
        yield letters.tobytes().decode("ascii")


def _resident() -> float:
    """Return the MB of the process's own memory, after freed memory was returned.

    A model that is mapped from a file does not count.
    """
    give_back()
    (line,) = (line for line in STATUS.read_text().splitlines() if line.startswith("RssAnon:"))
    return int(line.split()[1]) * 1024 / 1e6


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return the table of the growth of each."""
    rows = [[name, f"{it['encoded']:.0f}", digits(it["grown"])] for name, it in found.items()]
    return table(["", "MB of distinct words", "MB grown"], rows)
