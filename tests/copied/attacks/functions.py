"""Attacks on functions of one argument, and on one whose other argument changes the first."""

from __future__ import annotations

import array
import gc
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from .answers import ema
from .objects import Made, given, memory, numbers
from .outcomes import REFUSED, Attack, leaks, outcome, same

N = 200_000  # the pages of an array of this size are unmapped when it shrinks


def right_average(x: Any) -> np.ndarray | None:
    values = numbers(x)
    return None if values is None else ema(values)


def right_checksum(x: Any) -> int | None:
    data = memory(x)
    return None if data is None else zlib.crc32(data)


def each(name: str, call: Any, right: Callable[[Any], Any]) -> Iterator[tuple[str, Attack]]:
    """Attack a function of one argument with every object."""

    def attack(what: str) -> Iterator[str]:
        x = given()[what]
        expected, before, references = right(x), memory(x), sys.getrefcount(x)
        got = outcome(call, x)
        if not same(got, expected):
            yield f"{got!r:.80}, not {expected!r:.80}"
        if memory(x) != before:
            yield "the argument has changed"
        del got
        gc.collect()
        if x is not None and sys.getrefcount(x) > references:
            yield "a reference is left"
        try:
            if isinstance(x, bytearray | array.array):
                x.append(1)
        except BufferError as error:  # the memory is still exported
            yield str(error)

    for what in given():
        yield f"{name} of {what}", partial(attack, what)
    for what in ("float64", "bytes", "2-D", "every second byte"):
        yield f"{name} of {what}, leaks", partial(leaks, call, given()[what])


CHANGES: dict[str, Callable[[np.ndarray], object]] = {
    "shrinks": lambda x: x.resize(4, refcheck=False),
    "grows": lambda x: x.resize(2 * N, refcheck=False),
    "reshapes": lambda x: setattr(x, "shape", (2, -1)),
    "locks": lambda x: x.setflags(write=False),
}


def changing(ema_of: Any) -> Iterator[tuple[str, Attack]]:
    """Attack a function of an array and a number with a number that changes the array."""

    def attack(change: Callable[[np.ndarray], object], method: str) -> Iterator[str]:
        x, value = np.ones(N), 1 if method == "__index__" else 0.5
        got = outcome(ema_of, x, Made(**{method: lambda self: change(x) or value}))
        if got is not REFUSED and np.shape(got) != x.shape:
            yield f"a result of shape {np.shape(got)}"

    def items() -> Iterator[str]:
        x: list[Any] = []
        x += [Made(__float__=lambda self: x.clear() or 1.0) for _ in range(9)]
        got = outcome(ema_of, x, 0.5)
        if got is not REFUSED and np.size(got) not in (0, 1, 9):
            yield f"{got!r:.80}"

    def text() -> Iterator[str]:
        if (got := outcome(ema_of, np.ones(3), "0.5")) is not REFUSED:
            yield f"{got!r:.80}"

    for name, change in CHANGES.items():
        for method in ("__float__", "__index__"):
            yield f"ema, {method} {name}", partial(attack, change, method)
    yield "ema, a list that its items change", items
    for error in (KeyError("from Python"), KeyboardInterrupt()):
        yield f"ema, __float__ raises {error!r}", partial(identity, ema_of, error)
    yield "ema, text for a number", text


def identity(call: Any, error: BaseException) -> Iterator[str]:
    """Yield a fault unless the exception of a number's method comes out as it is."""

    def convert(_: Any) -> float:
        raise error

    try:
        call(np.ones(3), Made(__float__=convert))
    except BaseException as raised:
        if raised is not error:
            yield f"{raised!r} came out"
    else:
        yield "no exception"
