"""Numbers and truth values that are odd, that lie, or that run code when they are asked."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from ..acts import draw_act
from ..case import Case, Kind
from .hostile import Asked, asked_class

PLAIN = [
    True,
    False,
    0,
    -1,
    1,
    2,
    3,
    2.0,
    2.5,
    "2",
    "",
    None,
    b"2",
    2j,
    [2],
    (),
    2**31,
    2**40,
    -(2**40),
]
PLAIN += [2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 2**70, 10**400, float("nan")]
PLAIN += [
    float("inf"),
    np.int8(2),
    np.uint64(2),
    np.uint64(2**63),
    np.float32(2.5),
    np.float64(2.5),
]
PLAIN += [np.bool_(True), np.longdouble(2.5), np.datetime64(0, "s"), np.timedelta64(2, "s")]
PLAIN += [Decimal("2.9"), Decimal(2), Fraction(5, 2), Fraction(2), object, type, NotImplemented]


class IntSub(int):
    """A plain subclass."""


class FloatSub(float):
    """A plain subclass."""


COMPARISONS = ("__eq__", "__lt__", "__gt__", "__le__", "__ge__")
Index, Int, Trunc = map(asked_class, ("__index__", "__int__", "__trunc__"))
Float, Complex = map(asked_class, ("__float__", "__complex__"))
Bool, Length = map(asked_class, ("__bool__", "__len__"))
Everything = asked_class("__index__", "__int__", "__float__", "__bool__", *COMPARISONS)


class LyingInt(int):
    """An int whose own methods say something else."""

    case: Case

    def __index__(self) -> int:
        self.case.asked("int.__index__")
        return int.__index__(self) + 1000

    __int__ = __index__

    def __eq__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__
    __hash__ = int.__hash__


class LyingFloat(float):
    """A float whose own `__float__` says something else."""

    case: Case

    def __float__(self) -> float:
        self.case.asked("float.__float__")
        return float.__float__(self) + 1.0


def plain_of(numbers: list[Any]) -> Any:
    def plain(case: Case, value: Any) -> Any:
        number = case.rng.choice(numbers)
        case.say(repr(number)[:40])
        if isinstance(number, np.bool_):
            case.idiom()  # some bindings take it for a bool
        return number

    return plain


def as_numpy(case: Case, value: Any) -> Any:
    kind = case.rng.choice(
        [np.int8, np.int64, np.uint8, np.uint64, np.float32, np.float64, np.array]
    )
    shape = case.rng.choice([None, None, 1])
    number = kind(value if shape is None else [value])
    case.say(repr(number))
    return number


def of_class(kind: type[Asked], numbers: list[Any] = PLAIN) -> Any:
    def make(case: Case, value: Any) -> Any:
        odd = case.rng.random() < 0.15
        return kind(case, draw_act(case), case.rng.choice(numbers) if odd else value)

    return make


def subclass(case: Case, value: Any) -> Any:
    return (FloatSub if isinstance(value, float) else IntSub)(value)


def lying(case: Case, value: Any) -> Any:
    liar = (LyingFloat if isinstance(value, float) else LyingInt)(value)
    liar.case = case
    return liar


def moderate(low: int, high: int) -> list[Any]:
    """Return the plain values, without the whole numbers between two limits."""
    return [n for n in PLAIN if not (isinstance(n, (int, np.integer)) and low < n <= high)]


CLASSES = [Index, Index, Index, Int, Trunc, Float, Float, Complex, Bool, Length, Everything]


def kinds_of(numbers: list[Any], classes: list[type[Asked]] = CLASSES) -> list[Kind]:
    """Return the kinds for an argument that may be any of these numbers."""
    return [
        *[Kind("a plain odd value", plain_of(numbers))] * 4,
        Kind("a NumPy scalar or array", as_numpy),
        Kind("a subclass", subclass),
        Kind("a subclass that lies", lying, lies=True),
        *[Kind(f"an object with {kind.__name__}", of_class(kind, numbers)) for kind in classes],
    ]


NUMBERS = kinds_of(PLAIN)
SIZES = kinds_of(moderate(10**4, 2**61))  # for a size: it would take all memory
ROUNDS = kinds_of(moderate(10**4, 2**64))  # for an amount of work: it would take for ever
FLAGS = kinds_of(PLAIN, [Bool, Bool, Length, Index])
