"""Fresh operands: every pattern runs again, with new operands and with bad ones.

The right answer is the python binding's. A result that was computed once and repeated is wrong for
the next operands. A cache that looks its operands up keeps them alive: after the call and its
result are gone, nothing may refer to them.

This cannot detect a cache that holds copies, or hashes, of its operands, or a call that is slow or
wrong once in millions.
"""

from __future__ import annotations

import copy
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.core.clock import compiled
from benchmarks.ledger.rows import ALL, GIL_ALWAYS_FREED, Made, Row, contenders
from benchmarks.trust.interpreter import gil
from ffi_cookbook.bindings.protocol.pattern_table import array, integer, number, text

REFUSALS = (TypeError, ValueError, OverflowError)
TIMES = 3
SMALL = ("array_out", "list_out", "countdown", "interruptible", "error", "error_fields")
"""The functions whose integers are counts or codes."""
BAD: dict[type, tuple[Any, ...]] = {
    int: (2**64, -(2**63) - 1, "1", None),
    float: ("1", None, object()),
    bool: (1, None),
    str: ("\ud800", b"text", None),
    bytes: ("text", 7, None),
    np.ndarray: (None, [1.0], np.ones(8, np.float32), np.ones((2, 2, 2))),
    list: (None, (1.0,), [object()]),
    dict: (None, {1: 1.0}, {"a": "b"}),
}
"""What takes the place of an argument, by its kind; the call must raise where Python's does."""
FREED = ("noop_nogil", "array_in_nogil", "interruptible")
"""The rows in which every binding releases the GIL."""
MANY = 20  # references to objects that the interpreter shares, such as small integers
WAIT, GLANCE = 10.0, 0.02
"""The seconds to wait for a GIL that should be released, and for one that should not."""
NEVER = 1e6  # seconds after which the interpreter takes the GIL from a thread by itself
BATCH = 100

Names = Mapping[str, Any]


def wrong_rows(backend: ModuleType, rows: Iterable[str], draw: random.Random) -> list[str]:
    """Return the wrong results of a binding's patterns, which run in a random order."""
    asked: list[tuple[str, str | None, Names | None]] = []
    for name in rows:
        for _, variant, _ in contenders({"": backend}, name):
            asked += [(name, variant, _again(ALL[name], draw)) for _ in range(TIMES)]
            if variant is None:  # a variant may check less
                asked += [(name, None, bad) for bad in _bad(ALL[name])]
    draw.shuffle(asked)
    complaints = {}
    for name, variant, arguments in asked:
        if complaint := _wrong(ALL[name]._replace(arguments=arguments), backend, variant):
            where = _where(name, variant)
            complaints.setdefault(where, f"{where}: {complaint}")
    return [*complaints.values(), *_wrong_gil(backend, rows)]


def other(value: Any, draw: random.Random, small: bool = False) -> Any:
    """Return another value of the same kind, a new object."""
    match value:
        case Made(kind, values):
            return Made(kind, tuple(other(one, draw) for one in values))
        case bool():
            return draw.random() < 0.5
        case int():
            return draw.randrange(64) if small else integer(draw)
        case float():
            return number(draw)
        case str():
            return text(draw)
        case bytes() | bytearray():
            return type(value)(draw.randbytes(len(value)))
        case np.ndarray():
            step = value.strides[0] // value.itemsize
            return np.repeat(array(draw), step)[::step]
        case list():
            return [other(one, draw) for one in value]
        case dict():
            return {text(draw): other(one, draw) for one in value.values()}
    shift = number(draw)
    return lambda x: value(x) + shift


def _again(row: Row, draw: random.Random) -> Names:
    small = row.function in SMALL
    return {name: other(value, draw, small) for name, value in row.arguments.items()}


def _bad(row: Row) -> list[Names]:
    return [
        {**row.arguments, name: bad}
        for name, value in row.arguments.items()
        for bad in BAD.get(type(value), ())
        if " + " not in row.statement
    ]


def _wrong(row: Row, backend: ModuleType, variant: str | None) -> str | None:
    ours, theirs = copy.deepcopy(row.arguments), copy.deepcopy(row.arguments)
    expected = row._replace(arguments=ours).outcome(ffi_cookbook.load("python").patterns)
    counts = {name: sys.getrefcount(theirs[name]) for name in theirs}
    shared = [name for name, count in counts.items() if count > MANY]
    found = row._replace(arguments=theirs).outcome(backend.patterns, variant)
    given = ", ".join(f"{name} = {value!r}" for name, value in row.arguments.items())
    said = f"{row.statement} with {given} gave {found!r}, not {expected!r}"
    if isinstance(expected, REFUSALS) and isinstance(found, REFUSALS):
        return None
    if type(expected) is not type(found):
        return said
    if isinstance(expected, Exception):
        return None if str(expected) == str(found) else said
    if not np.array_equal(expected, found):
        return said
    for name, value in ours.items():
        if isinstance(value, np.ndarray) and not np.array_equal(value, theirs[name]):
            return f"{row.statement} with {given} left {theirs[name]!r} in {name}, not {value!r}"
    del found
    value = None
    for name in counts.keys() - shared:
        if sys.getrefcount(theirs[name]) > counts[name]:
            return f"{row.statement} keeps {name} after the call"
    return None


def _where(row: str, variant: str | None) -> str:
    return f"patterns.{variant}.{row}" if variant else f"patterns.{row}"


def _wrong_gil(backend: ModuleType, rows: Iterable[str]) -> list[str]:
    name = backend.__name__.rpartition(".")[2]
    if not gil() or name == "python":
        return []
    complaints = []
    always, outside = name in GIL_ALWAYS_FREED, getattr(backend, "outside", False)
    some = {*FREED, "noop"} if always else FREED if outside else rows
    for row in (row for row in rows if row in some):
        for _, variant, patterns in contenders({"": backend}, row):
            if row not in FREED and variant is not None:
                continue  # variants have no column for marks
            freed = always or row in FREED
            run = compiled(ALL[row].timed(patterns, variant), 1)
            if releases(run, WAIT if freed else GLANCE) != freed:
                what = "holds the GIL" if freed else "releases the GIL, and is not marked for it"
                complaints.append(f"{_where(row, variant)}: {what}")
    return complaints


def releases(run: Callable[[int], object], seconds: float) -> bool:
    """Return True if another thread has run during many calls.

    The calls end as soon as it has, or after `seconds`. A call that holds the GIL never makes this
    True, however busy the machine is.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(NEVER)
    seen, ended = [0], threading.Event()

    def count() -> None:
        while not ended.is_set():
            seen[0] += 1
            time.sleep(0)  # releases the GIL, and reacquires it

    other = threading.Thread(target=count)
    try:
        other.start()
        start, end = seen[0], time.monotonic() + seconds
        while seen[0] == start and time.monotonic() < end:
            for _ in range(BATCH):
                run(1)
        return seen[0] != start
    finally:
        ended.set()
        sys.setswitchinterval(before)
        other.join()
