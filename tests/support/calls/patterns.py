"""Every pattern with arguments that it accepts and some that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS
from support.operands import accepted, refused

from .call import Call, call, failing


def patterns(backend: ModuleType) -> Iterator[Call]:
    yield call(backend.about)
    yield from table(backend.patterns)
    yield from objects(backend.patterns)


def table(patterns: Any) -> Iterator[Call]:
    """Call each pattern of the table, then with one argument that it refuses."""
    for name in PATTERNS:
        function = getattr(patterns, name)
        yield call(function, *accepted(name, Random(4), patterns))
        for arguments in refused(name, Random(4), patterns):
            if not any(argument is None for argument in arguments):
                yield failing(function, *arguments)


def objects(patterns: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    point, counter, value = patterns.Point(real, real), patterns.Counter(big), "value"
    yield failing(patterns.keywords, real, scale=str(real))
    yield failing(patterns.keywords, real, nothing=real * 3)
    yield call(getattr, point, "x")
    yield call(getattr, counter, value)
    yield call(setattr, counter, value, big)
    yield failing(setattr, counter, value, str(big))
    yield failing(delattr, counter, value)
    yield call(patterns.Counter(5).add, big)
    yield failing(counter.add, real)
    yield call(lambda n: sum(patterns.countdown(n)), 3)
    yield call(lambda n: next(patterns.countdown(n)), big)
