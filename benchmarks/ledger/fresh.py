"""Answers by property: every pattern runs with new operands of any length, and with bad ones.

The right answer is the python binding's. A result that was computed once and repeated is wrong for
the next operands; one that lies in memory of another result changes with it. A cache that looks its
operands up keeps them alive, and a leak keeps everything: after a call and its result are gone,
nothing may be left.

This cannot detect a cache that holds copies, or hashes, of its operands, a call that is slow or
wrong once in millions, or one that knows the operands that are timed.
"""

from __future__ import annotations

import copy
import ctypes
import gc
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from types import ModuleType
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks.core import machine
from benchmarks.core.clock import compiled
from benchmarks.ledger.rows import ALL, GIL_ALWAYS_FREED, Made, Row, alike, contenders, plain
from ffi_cookbook.bindings.protocol.pattern_table import integer, number, text

REFUSALS = (TypeError, ValueError, OverflowError)
TIMES = 12
LONGEST = 40  # items or bytes of an operand
SMALL = ("array_out", "list_out", "tensor_out", "countdown", "interruptible")
SMALL += ("error", "error_fields")
"""The functions whose integers are counts or codes."""
BAD: dict[type, tuple[Any, ...]] = {
    int: (2**64, -(2**63) - 1, "1", None),
    float: ("1", None, object()),
    bool: (1, None),
    str: ("\ud800", b"text", None),
    bytes: ("text", 7, None),
    np.ndarray: (None, [1.0], np.ones(8, "f4"), np.ones((2, 2, 2)), np.ones(8, ">f8")),
    list: (None, (1.0,), [object()]),
    dict: (None, {1: 1.0}, {"a": "b"}),
}
"""What takes the place of an argument, by its kind; the call must raise where Python's does."""
FREED = ("noop_nogil", "array_in_nogil", "interruptible")
"""The rows in which every binding releases the GIL."""
MANY = 20  # references to objects that the interpreter shares, such as small integers
WAIT, GLANCE = 10.0, 0.2
"""The seconds to wait for a GIL that should be released, and for one that should not."""
NEVER = 1e6  # seconds after which the interpreter takes the GIL from a thread by itself
BATCH = 100
SHARED = (int, float, str, bytes, tuple)  # what may be one object in two results
MARKED = "releases the GIL, and is not marked for it"
REPEATED, LEFT = 2000, 200  # calls of one pattern, and blocks of memory that may be left of them
SMALLEST = 32  # bytes of a block of malloc's

Names = Mapping[str, Any]


def wrong_rows(backend: ModuleType, rows: Iterable[str], draw: random.Random) -> list[str]:
    """Return the wrong results of a binding's patterns or, if all are right, what they leave."""
    found = wrong_operands(backend, rows, draw, TIMES)
    return found or [*_growing(backend, rows), *_wrong_gil(backend, rows)]


def wrong_operands(
    backend: ModuleType, rows: Iterable[str], draw: random.Random, times: int
) -> list[str]:
    """Return the wrong results for the timed operands, some drawn ones and all bad ones."""
    asked: list[tuple[str, str | None, Names | None]] = []
    complaints = {}
    for name in rows:
        for _, variant, patterns in contenders({"": backend}, name):
            given = {one: _copied(value) for one, value in ALL[name].arguments.items()}
            if complaint := ALL[name]._replace(arguments=given).wrong(patterns, variant):
                complaints[_where(name, variant)] = f"{_where(name, variant)}: {complaint}"
            asked += [(name, variant, _again(ALL[name], draw)) for _ in range(times)]
            if variant is None:  # a variant may check less
                asked += [(name, None, bad) for bad in _bad(ALL[name])]
    draw.shuffle(asked)
    alive: dict[str, list[Any]] = {}
    for name, variant, arguments in asked:
        where = _where(name, variant)
        complaint, result = _wrong(ALL[name]._replace(arguments=arguments), backend, variant)
        if complaint:
            complaints.setdefault(where, f"{where}: {complaint}")
        elif result is not None:
            alive.setdefault(where, []).append(result)
    for where, results in alive.items():
        if any(a is b or np.shares_memory(a, b) for a, b in combinations(results, 2)):
            complaints.setdefault(where, f"{where}: its results share memory")
    return [*complaints.values()]


def other(value: Any, draw: random.Random, small: bool = False) -> Any:
    """Return another value of the same kind, a new object of another length."""
    size = draw.randrange(1, LONGEST)
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
            return (text(draw) * 4)[:size]
        case bytes() | bytearray():
            return type(value)(draw.randbytes(size))
        case np.ndarray():
            step = value.strides[0] // value.itemsize
            return np.repeat([number(draw) for _ in range(size)], step)[::step]
        case list():
            return [other(value[0], draw) for _ in range(size)]
        case dict():
            return {text(draw): number(draw) for _ in range(size)}
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


def _wrong(row: Row, backend: ModuleType, variant: str | None) -> tuple[str | None, Any]:
    """Return the fault of a call, or None, and its result."""
    ours, theirs = ({name: _copied(row.arguments[name]) for name in row.arguments} for _ in "ab")
    expected = plain(row._replace(arguments=ours).outcome(ffi_cookbook.load("python").patterns))
    counts = {name: sys.getrefcount(theirs[name]) for name in theirs}
    result = row._replace(arguments=theirs).outcome(backend.patterns, variant)
    found = plain(result)
    given = ", ".join(f"{name} = {value!r}" for name, value in row.arguments.items())
    said = f"{row.statement} with {given} gave {found!r}, not {expected!r}"
    if isinstance(expected, REFUSALS) and type(expected) is not type(row.answer):
        return (None if isinstance(found, REFUSALS) else said), None
    if not alike(expected, found):
        return said, None
    for name in ours:
        if not alike(ours[name], theirs[name]):
            left = f"left {theirs[name]!r} in {name}, not {ours[name]!r}"
            return f"{row.statement} with {given} {left}", None
    if found is result:  # an object of a binding's own type may keep what it was made from
        result = found = None if isinstance(result, SHARED) else result
        for name, count in counts.items():
            if count <= MANY and sys.getrefcount(theirs[name]) > count:
                return f"{row.statement} keeps {name} after the call", None
    return None, result


def _copied(value: Any) -> Any:
    """Return a copy, which has the strides of an array that is a view."""
    if not isinstance(value, np.ndarray) or value.base is None:
        return copy.deepcopy(value)
    return np.ndarray(value.shape, value.dtype, value.base.copy(), 0, value.strides)


class _Usage(ctypes.Structure):  # mallinfo2 of glibc: bytes mapped are [4], in use [7]
    _fields_ = (("sizes", ctypes.c_size_t * 10),)


def _blocks() -> int:
    """Return the blocks of memory in use: Python's, and of malloc's as many as may be."""
    if (information := getattr(ctypes.CDLL(None), "mallinfo2", None)) is None:
        return sys.getallocatedblocks()
    information.restype = _Usage
    sizes = information().sizes
    return sys.getallocatedblocks() + (sizes[4] + sizes[7]) // SMALLEST


def _growing(backend: ModuleType, rows: Iterable[str]) -> Iterator[str]:
    """Yield the patterns that keep memory, call after call."""
    gc.collect()
    gc.freeze()  # the collections below are quick then
    for row in rows:
        for _, variant, patterns in contenders({"": backend}, row):
            run = compiled(ALL[row].timed(patterns, variant), 1)
            with suppress(Exception):
                run(LEFT)
                grown = []
                for _ in "ab":  # what is kept once, such as a larger table, is no leak
                    before = _blocks()
                    run(REPEATED)
                    gc.collect()  # some libraries make cycles
                    grown.append(_blocks() - before)
                if min(grown) > LEFT:
                    yield f"{_where(row, variant)}: keeps memory after the call"
    gc.unfreeze()


def _where(row: str, variant: str | None) -> str:
    return f"patterns.{variant}.{row}" if variant else f"patterns.{row}"


def _wrong_gil(backend: ModuleType, rows: Iterable[str]) -> list[str]:
    name = backend.__name__.rpartition(".")[2]
    if not machine.facts()["gil"] or name == "python":
        return []
    complaints, held = [], dict[str, Callable[[int], object]]()
    always, outside = name in GIL_ALWAYS_FREED, getattr(backend, "outside", False)
    for row in rows:
        for _, variant, patterns in contenders({"": backend}, row):
            run = compiled(ALL[row].timed(patterns, variant), 1)
            if row in FREED or (always and row == "noop"):
                if not releases(run, WAIT):
                    complaints.append(f"{_where(row, variant)}: holds the GIL")
            elif variant is None and not always and not outside:  # variants have no marks
                held[row] = run

    def every(_: int) -> None:
        for run in held.values():
            run(1)

    if held and releases(every, GLANCE):
        freed = [row for row, run in held.items() if releases(run, GLANCE)]
        complaints += [f"{_where(row, None)}: {MARKED}" for row in freed]
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
