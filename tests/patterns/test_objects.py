"""Points, counters and iterators: objects that native code makes and reads."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress
from types import ModuleType
from typing import Any

import pytest

from support.backends import REFUSALS, open_backends

pytestmark = pytest.mark.part("patterns")


# ---- structs by value ----------------------------------------------------------------------


def test_points(patterns: Any) -> None:
    point = patterns.Point(1, 2.5)
    assert (point.x, point.y) == (1.0, 2.5)
    assert type(point.x) is float
    assert patterns.struct_in(point) == 3.5
    made = patterns.struct_out(3, 4.5)
    assert isinstance(made, patterns.Point)
    assert isinstance(point, patterns.Point)
    assert patterns.struct_in(made) == 7.5
    assert type(patterns.struct_in(made)) is float


def test_a_subclass_of_a_point_is_refused_or_has_its_numbers(patterns: Any) -> None:
    """A C structure with more fields would be passed in another way."""
    body = {"_fields_": [("z", ctypes.c_double * 10)], "_as_parameter_": patterns.Point(1.0, 2.0)}
    with suppress(TypeError):
        larger = type("Larger", (patterns.Point,), body)
        assert patterns.struct_in(larger(1.0, 2.0)) == 3.0
    with pytest.raises(TypeError):
        patterns.struct_in(type("Other", (), body)())


def test_points_of_other_bindings(patterns: Any, backend: ModuleType) -> None:
    for other in (
        None,
        1.0,
        (1.0, 2.0),
        [1.0, 2.0],
        3 + 4j,
        "ab",
        patterns.Counter(1),
        patterns.Point,
    ):
        with pytest.raises(TypeError):
            patterns.struct_in(other)
    for _, binding in open_backends("patterns"):
        if binding is not backend:
            with pytest.raises(TypeError):
                patterns.struct_in(binding.patterns.Point(1.0, 2.0))


# The exceptions with which a use may refuse an object made by __new__ alone, instead of reading
# zeros.
UNMADE = (*REFUSALS, AttributeError, RuntimeError)


@pytest.mark.filterwarnings("ignore:nanobind.*uninitialized:RuntimeWarning")
@pytest.mark.parametrize("variant", ["", "idiomatic", "fast"])
def test_objects_made_by_new_alone(patterns: Any, variant: str) -> None:
    """The objects hold zeros or refuse every use; no earlier content of their memory is visible."""
    space = getattr(patterns, variant, None) if variant else patterns
    for kind, dirty, uses in (
        ("Point", lambda make: make(1.5, 2.5), (lambda p: p.x, lambda p: p.y, patterns.struct_in)),
        ("Counter", lambda make: make(2**62 - 1), (lambda c: c.value, lambda c: c.add(0))),
        ("countdown", lambda make: make(2**62 - 1), (lambda c: next(c, 0),)),
    ):
        make = getattr(space, kind, None)
        for use in uses if make else ():
            freed = [dirty(make) for _ in range(100)]
            made = type(freed[0])
            del freed
            objects = []
            for _ in range(100):
                try:
                    objects.append(made.__new__(made))
                    assert use(objects[-1]) == 0, (kind, use)
                except UNMADE:
                    continue


# ---- objects with a state ------------------------------------------------------------------


def test_counters(patterns: Any) -> None:
    one, other = patterns.Counter(5), patterns.Counter(-(2**63))
    assert isinstance(one, patterns.Counter)
    assert (one.add(2), one.value, other.value) == (7, 7, -(2**63))
    assert type(one.value) is int
    one.value = 2**63 - 1
    assert one.add(1) == -(2**63)  # wraps around
    assert other.add(-1) == 2**63 - 1
    assert patterns.Counter(True).value == 1


@pytest.mark.parametrize("n", ["1", 1.5, None, 2**63, -(2**63) - 1], ids=str)
def test_a_refused_number_leaves_the_counter_unchanged(patterns: Any, n: Any) -> None:
    counter = patterns.Counter(5)
    with pytest.raises(REFUSALS):
        counter.value = n
    with pytest.raises(REFUSALS):
        counter.add(n)
    with pytest.raises((AttributeError, TypeError)):
        del counter.value
    assert counter.value == 5


def test_many_objects(patterns: Any) -> None:
    """Each object has a state of its own, even after others have been freed."""
    counters = [patterns.Counter(i) for i in range(1000)]
    points = [patterns.Point(i, -i) for i in range(1000)]
    del counters[::2], points[::2]
    gc.collect()
    assert [counter.value for counter in counters] == list(range(1, 1000, 2))
    assert [(point.x, point.y) for point in points] == [(i, -i) for i in range(1, 1000, 2)]


# ---- iterators -----------------------------------------------------------------------------


def test_countdown(patterns: Any) -> None:
    countdown = patterns.countdown(3)
    assert iter(countdown) is countdown
    assert not isinstance(countdown, list | tuple)
    assert type(countdown) is type(patterns.countdown(7))
    assert list(countdown) == [2, 1, 0]
    for _ in range(3):  # it stays exhausted
        with pytest.raises(StopIteration):
            next(countdown)
    assert type(next(patterns.countdown(2**62))) is int
    assert next(patterns.countdown(2**63 - 1)) == 2**63 - 2
    for n in (0, -1, -(2**63)):
        assert list(patterns.countdown(n)) == []


def test_many_iterators_at_once(patterns: Any) -> None:
    countdowns = [patterns.countdown(n) for n in range(50)]
    assert [next(countdown, None) for countdown in countdowns] == [None, *range(49)]
    assert [sum(countdown) for countdown in countdowns] == [0, *(sum(range(n)) for n in range(49))]
