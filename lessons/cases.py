"""The cases of an exercise, and the comparison of an answer with the expected one.

An exercise's check.py has a function `cases(draw)`, which yields cases; `draw` is a `Draw` with a
new seed for each run. The expected values are computed there, in the checker's process.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .box.values import Made

ANYTHING = object()


@dataclass(frozen=True)
class Raises:
    """The answer must be an exception of this class, or of a class derived from it."""

    kind: type[BaseException]
    text: str = ""
    """What its message must contain, in any case of letters."""

    def __repr__(self) -> str:
        return self.kind.__name__ + (f" that says {self.text!r}" if self.text else "")


@dataclass(frozen=True)
class Near:
    """The answer must be floats that differ from these by at most `relative` of the largest."""

    value: Any
    relative: float = 1e-12

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Case:
    """One call of a solution, or of a function of the driver, and its expected result."""

    name: str
    """The function; `.name` reads an attribute of the module instead."""
    arguments: tuple[Any, ...]
    gives: Any = ANYTHING
    """A value, or `Raises`, `Near`."""
    driver: bool = False
    rule: str = "wrong-answer"
    """The rule that is broken if the answer is wrong, or if it is none and should be `Raises`."""
    says: str = ""
    """What is shown instead of the call."""
    mistakes: tuple[tuple[Any, str], ...] = ()
    """Wrong answers that show which rule is broken, each with that rule; `Raises` may be one."""
    after: tuple[Any, ...] | None = None
    """The arguments after the call where they are to change; None if none may."""
    repeat: int = 100
    """The number of calls in which leaks are sought; 0 for none."""
    objects: int | None = None
    """The most allocations that a call may make, None for any number."""
    modes: tuple[str, ...] = ()
    """The modes in which the case runs, if not in all."""
    timed: bool = field(default=False)
    """Measure this call for the scorecard."""

    def __str__(self) -> str:
        if self.says:
            return self.says
        return f"{self.name}({', '.join(map(shown, self.arguments))})"


def call(name: str, *arguments: Any, gives: Any = ANYTHING, **options: Any) -> Case:
    """Return the case of a call of the solution's function."""
    return Case(name, arguments, gives, **options)


def drive(name: str, *arguments: Any, gives: Any = ANYTHING, **options: Any) -> Case:
    """Return the case of a call of the driver's function, which is given the module first."""
    return Case(name, arguments, gives, driver=True, **options)


def shown(value: Any) -> str:
    """Return the value in the form of a message, shortened in the middle."""
    text = repr(value)
    if hasattr(value, "dtype"):
        items = value.tolist() if value.size else f"of shape {value.shape}"  # even (10**9, 0)
        text = f"{value.dtype} array {items}"
    return text if len(text) <= 120 else f"{text[:80]} … {text[-30:]}"


class Draw(random.Random):
    """Inputs drawn at random, with the awkward ones first."""

    def sizes(self, most: int = 100) -> list[int]:
        """Return sizes up to `most`: 0, 1, and some others."""
        return [0, 1, 2, self.randint(3, max(3, most // 4)), self.randint(3, max(3, most))]

    def integers(self, n: int, low: int = -1000, high: int = 1000) -> list[int]:
        """Return n integers of the range."""
        return [self.randint(low, high) for _ in range(n)]

    def floats(self, n: int) -> list[float]:
        """Return n floats of ordinary sizes, which a sum in any order keeps exact."""
        return [self.randint(-4096, 4096) / 64 for _ in range(n)]

    def data(self, n: int) -> bytes:
        """Return n random bytes."""
        return self.randbytes(n)

    def text(self, n: int) -> str:
        """Return n characters of one to four bytes in UTF-8."""
        return "".join(self.choice("abc xyzäöü€ß漢字😀\n0") for _ in range(n))


def difference(expected: Any, answer: dict[str, Any], value: Any) -> str:
    """Return the fault of the answer, or nothing.

    `value` is the decoded value of an answer without an exception.
    """
    raised = answer.get("raised")
    if isinstance(expected, Raises):
        if raised is None:
            return f"it returned {shown(value)} and must raise {expected!r}"
        kinds, text = raised[0], str(raised[1])
        if expected.kind.__name__ not in kinds:
            return f"it raised {kinds[0]}: {text}; it must raise {expected!r}"
        if expected.text.lower() not in text.lower():
            return f"the message of its {kinds[0]} is {text!r} and must contain {expected.text!r}"
        return ""
    if raised is not None:
        return f"it raised {raised[0][0]}: {raised[1]}"
    if expected is ANYTHING:
        return ""
    if equal(expected, value):
        return ""
    return f"it returned {shown(value)}; expected {shown(_plain(expected))}"


def _plain(expected: Any) -> Any:
    return expected.value if isinstance(expected, Near) else expected


def equal(expected: Any, value: Any) -> bool:
    """Return True if both have the same types and values throughout; NaN equals NaN.

    If something `Near` is expected, a value near it will do.
    """
    if isinstance(expected, Near):
        return near(expected, value)
    if type(expected) is not type(value):
        return False
    if isinstance(expected, list | tuple):
        return len(expected) == len(value) and all(map(equal, expected, value))
    if isinstance(expected, dict):
        return equal(list(expected.items()), list(value.items()))
    if isinstance(expected, float):
        return expected == value or (math.isnan(expected) and math.isnan(value))
    if hasattr(expected, "dtype"):
        return (expected.dtype, expected.shape) == (
            value.dtype,
            value.shape,
        ) and expected.tobytes() == value.tobytes()
    return bool(expected == value)


def near(expected: Near, value: Any) -> bool:
    """Return True if the floats are of the same shape and near the expected ones."""
    import numpy as np

    wanted = np.asarray(expected.value)
    if type(value) is not type(expected.value):
        return False
    found = np.asarray(value)
    if wanted.shape != found.shape or wanted.dtype != found.dtype:
        return False
    scale = float(np.abs(wanted).max(initial=0))
    with np.errstate(invalid="ignore"):
        return bool((np.abs(wanted - found) <= expected.relative * scale).all())


__all__ = ["ANYTHING", "Case", "Draw", "Made", "Near", "Raises", "call", "drive"]

Cases = Callable[[Draw], Any]
