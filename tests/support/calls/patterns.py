"""Every pattern with arguments that it accepts and some that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

from ..pattern_table import SIGNATURES, bad, good
from .call import Call, call, failing


def patterns(backend: ModuleType) -> Iterator[Call]:
    yield call(backend.about)
    yield from table(backend.patterns)
    yield from objects(backend.patterns)


def table(patterns: Any) -> Iterator[Call]:
    """Call each pattern of the table, then with one argument that it refuses."""
    for name, letters in SIGNATURES.items():
        function = getattr(patterns, name)
        operands = [good(letter, 4, patterns) for letter in letters]
        yield call(function, *operands)
        for place, letter in enumerate(letters):
            for wrong in bad(letter):
                yield failing(function, *operands[:place], wrong, *operands[place + 1 :])


def objects(patterns: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    point, counter, value = patterns.Point(real, real), patterns.Counter(big), "value"
    yield call(patterns.keywords, real, scale=real * 3)
    yield failing(patterns.keywords, real, scale=str(real))
    yield failing(patterns.keywords, real, nothing=real * 3)
    yield call(patterns.Point, real, real * 3)
    yield failing(patterns.Point, real, str(real))
    yield call(getattr, point, "x")
    yield call(patterns.Counter, big)
    yield failing(patterns.Counter, str(big))
    yield failing(patterns.Counter)
    yield call(getattr, counter, value)
    yield call(setattr, counter, value, big)
    yield failing(setattr, counter, value, str(big))
    yield failing(delattr, counter, value)
    yield call(patterns.Counter(5).add, big)
    yield failing(counter.add, real)
    yield call(lambda n: sum(patterns.countdown(n)), 3)
    yield call(lambda n: next(patterns.countdown(n)), big)
    yield failing(patterns.countdown, str(big))
