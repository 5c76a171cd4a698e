"""A script that counts each row's allocations through one binding, in every variant.

The difference between k and 2k calls removes the constant costs of counting.
"""

from __future__ import annotations

import ctypes
import gc
import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import repeat
from pathlib import Path
from textwrap import indent
from types import ModuleType
from typing import Any, NamedTuple, cast

import numpy as np

import ffi_cookbook
from benchmarks.core.clock import Timed
from benchmarks.core.process import send
from benchmarks.ledger import empty
from benchmarks.ledger.row import Row
from benchmarks.ledger.rows import ALL, contenders

WARM = 300  # uncounted calls at first: caches fill, the interpreter specialises
CALLS = 50
FEW = 2  # with a large argument
PAYLOADS = (1 << 14, 1 << 15)  # bytes, about


class Count(NamedTuple):
    """The allocations of one call."""

    calls: Fraction
    bytes: Fraction


class Counter:
    """The preloaded library."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)
        self._mark = library.mark
        self._mark.restype = None  # called in this way, it allocates nothing
        self._marks = (ctypes.c_uint64 * 2 * 3).in_dll(library, "marks")

    def count(self, run: Callable[[int], None], warm: int, calls: int) -> Count:
        """Return the allocations of one call, measured over many."""
        run(warm)
        self._mark()
        run(calls)
        self._mark()
        run(2 * calls)
        self._mark()
        columns = zip(*self._marks, strict=True)
        return Count(*(Fraction(twice - 2 * once + start, calls) for start, once, twice in columns))


def count(backend: str, library: str) -> dict[str, Any]:
    """Count the allocations and bytes of a job, row by row and contender by contender.

    If the row's first argument can be made larger, count the bytes per byte of payload too.
    """
    counter = Counter(library)
    empty.load(Path(library).parent)
    backends = {backend: cast("ModuleType", ffi_cookbook.load(backend))}
    gc.collect()
    gc.disable()
    found: dict[str, Any] = {}
    for name, row in ALL.items():
        for _, variant, patterns in contenders(backends, name):
            count = counted(row, patterns, variant, counter, WARM, CALLS)
            slope = per_byte(row, patterns, variant, counter)
            contender = f"{backend} {variant}" if variant else backend
            found.setdefault(name, {})[contender] = {
                "calls": plain(count.calls),
                "bytes": plain(count.bytes),
                "per_byte": None if slope is None else round(plain(slope), 3),
            }
    return found


def plain(number: Fraction) -> int | float:
    """Return an int if the value is whole, as it should be."""
    return int(number) if number.denominator == 1 else float(number)


def counted(
    row: Row, patterns: Any, variant: str | None, counter: Counter, warm: int, calls: int
) -> Count:
    """Return the allocations of a call, without those of the statement's operands."""
    whole, nothing = (
        counter.count(compiled(timed), warm, calls)
        for timed in (row.timed(patterns, variant), row.nothing())
    )
    return Count(whole.calls - nothing.calls, whole.bytes - nothing.bytes)


def per_byte(row: Row, patterns: Any, variant: str | None, counter: Counter) -> Fraction | None:
    """Return the bytes that a call allocates for each additional byte of its first argument.

    If that is a number of items to return, the bytes are those of the result.
    """
    points = []
    for target in PAYLOADS:
        sized = larger(row, target)
        if sized is None:
            return None
        grown, payload = sized
        points.append((payload, counted(grown, patterns, variant, counter, FEW, FEW).bytes))
    (small, little), (large, much) = points
    return (much - little) / (large - small)


def larger(row: Row, target: int) -> tuple[Row, int] | None:
    """Return the row with a first argument of about that many bytes, and their exact number."""
    name, value = next(iter(row.arguments.items()), ("", None))
    match value:
        case str() | bytes() | bytearray():
            value = value * (target // len(value))
            payload = _size([value])
        case np.ndarray():
            step = value.strides[0] // 8
            value = np.ones(target // 8 * step)[::step]
            payload = value.nbytes
        case list() if isinstance(value[0], float):
            value = value * (target // (8 * len(value)))
            payload = 8 * len(value)
        case list():
            value = [text * (target // _size(value)) for text in value]
            payload = _size(value)
        case dict():
            value = {key * (target // _size(value)): weight for key, weight in value.items()}
            payload = _size(value)
        case int() if row.function in ("array_out", "list_out"):
            value = target // 8
            payload = 8 * value
        case _:
            return None
    return row._replace(arguments={**row.arguments, name: value}), payload


def _size(texts: Iterable[str | bytes | bytearray]) -> int:
    return sum(len(text.encode() if isinstance(text, str) else text) for text in texts)


def compiled(timed: Timed) -> Callable[[int], None]:
    """Compile the statement in a loop whose own allocations do not depend on the number of runs."""
    parameters = ", ".join(f"{name}={name}" for name in timed.names)
    body = indent(timed.statement, " " * 8)
    scope = {"repeat": repeat, **timed.names}
    exec(f"def run(times, {parameters}):\n    for _ in repeat(None, times):\n{body}", scope)
    return cast("Callable[[int], None]", scope["run"])


def main(arguments: Sequence[str]) -> None:
    """Print the counts of a job."""
    send([count(*json.loads(arguments[0]))])
