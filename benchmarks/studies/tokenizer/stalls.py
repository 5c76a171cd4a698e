"""The time that an encode of 16 MB keeps other Python threads waiting.

A thread only reads the clock and stores its largest gap, in one round beside an encode and in the
next beside a sleep, repeatedly. The system takes the processor away from it too: that time, as
Linux counts it, is subtracted. And a call does the same with the GIL held in every round, so the
smallest of the rounds' largest gaps is reported too.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.core import machine
from benchmarks.core.figures import ABSENT, digits, names, table
from benchmarks.studies.tokenizer.bench import Bench
from benchmarks.studies.tokenizer.contenders import GIGATOKEN, gigatoken_of, installed, tiktoken_of

SIZE = 16_000_000
BATCH = 64_000
SWITCH = 1e-4  # seconds that a thread waits for the GIL before it asks for it
SCHEDSTAT = Path("/proc/thread-self/schedstat")
Result = dict[str, dict[str, list[float]]]
Ready = Callable[[], Callable[[], object]]

_PREAD = ctypes.PyDLL(None).pread  # holds the GIL, unlike os.pread


def waited_for_a_processor(file: int, line: ctypes.Array[ctypes.c_char]) -> float:
    """Return the seconds in which this thread could have run but did not, since it began."""
    _PREAD(file, line, len(line), 0)
    return int(line.value.split()[1]) * 1e-9


def largest_gap(work: Callable[[], object]) -> float:
    """Return the longest time in seconds for which a spinning thread did not run beside `work`."""
    begun, done, largest = threading.Event(), False, 0.0

    def spin() -> None:
        nonlocal largest
        line = ctypes.create_string_buffer(100)
        file = os.open(SCHEDSTAT, os.O_RDONLY)
        before = time.perf_counter() - waited_for_a_processor(file, line)
        begun.set()
        while not done:
            now = time.perf_counter() - waited_for_a_processor(file, line)
            largest = max(largest, now - before)
            before = now
        os.close(file)

    thread = threading.Thread(target=spin)
    thread.start()
    begun.wait()
    work()
    done = True
    thread.join()
    return largest


def measure(bench: Bench) -> Result | None:
    """Return the largest gaps in seconds, by contender and call, or None without a measure."""
    if machine.cores() < 2 or not SCHEDSTAT.exists():
        return None
    contenders = _contenders(bench)
    gaps: Result = {name: {kind: [] for kind in kinds} for name, kinds in contenders.items()}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        for _ in range(bench.rounds):
            for name, kinds in contenders.items():
                for kind, ready in kinds.items():
                    gaps[name][kind].append(largest_gap(ready()))
    finally:
        sys.setswitchinterval(interval)
    return gaps


def _contenders(bench: Bench) -> dict[str, dict[str, Ready]]:
    vocabulary, (plain, wide) = bench.vocabularies[0], _texts(bench.texts)
    wanted = tiktoken_of(vocabulary).encode_to_numpy(plain[:BATCH])
    found = {}
    for name, backend in bench.backends.items():
        tokenizer = backend.Tokenizer(vocabulary.load())
        if bench.same(name, tokenizer.encode(plain[:BATCH]), wanted, "64 kB"):
            found[name] = _ours(tokenizer, plain, wide)
    if installed(GIGATOKEN) and GIGATOKEN not in bench.wrong:
        gigatoken = gigatoken_of(vocabulary)
        if bench.same(GIGATOKEN, gigatoken.encode(plain[:BATCH]), wanted, "64 kB"):
            found[GIGATOKEN] = _any(gigatoken.encode, plain, wide)
    return found


def _texts(texts: Mapping[str, str]) -> tuple[str, str]:
    """Return 16 MB in ASCII, and in other letters too."""
    plain = next(iter(texts.values())).encode("ascii", "ignore")
    wide = texts.get("18 languages", plain.decode().replace("e", "é")).encode()
    made = ((data * (SIZE // len(data) + 1))[:SIZE] for data in (plain, wide))
    first, second = (data.decode(errors="ignore") for data in made)
    return first, second


def _any(encode: Callable[[Any], object], plain: str, wide: str) -> dict[str, Ready]:
    """Return the function that makes the call, by kind.

    A str stores its UTF-8 at the first request. If that matters, a new str is made each time before
    the clock is read.
    """
    return {
        "a sleep": lambda: partial(time.sleep, 0.05),
        "`str`, ASCII": lambda: partial(encode, plain),
        "`str`, any text": lambda: partial(encode, wide),
        "the same, a new `str`": lambda: partial(encode, wide[:-1]),
    }


def _ours(tokenizer: Any, plain: str, wide: str) -> dict[str, Ready]:
    data, parts = wide.encode(), [plain[at : at + BATCH] for at in range(0, SIZE, BATCH)]
    return {
        **_any(tokenizer.encode, plain, wide),
        "`bytes`": lambda: partial(tokenizer.encode, data),
        "a batch on two threads": lambda: partial(tokenizer.encode_batch, parts, 2),
    }


def show(found: Result, backends: list[str]) -> str:
    """Return a table of the minimum and the median, over the rounds, of the largest gap."""
    rows = [
        [
            kind,
            *(
                f"{digits(min(gaps[kind]) * 1e3)}, {digits(median(gaps[kind]) * 1e3)}"
                if kind in gaps
                else ABSENT
                for gaps in found.values()
            ),
        ]
        for kind in names(found.values())
    ]
    return table(["ms: least, median", *found], rows)
