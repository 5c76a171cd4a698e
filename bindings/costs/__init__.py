"""What a call costs, estimated from its signature: the price of a call through the binding, of each
argument and of the result, added up, and what arguments and results of one kind save or add.
docs/costs.md says how the prices were found.

>>> from bindings.costs import Signature, predict
>>> signature = Signature.parse("f(int, int) -> float")
>>> signature.parts()
{'arguments': 1, 'int': 2, '-> float': 1}
>>> sorted(predict("capi", signature).parts) == sorted(signature.parts())
True
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bindings.costs import signatures

MEASURED = Path(__file__).with_name("measured.json")
CALLS = ("no argument", "arguments")
"""A call's own price: the interpreter and most tools have a way of their own for no argument."""
FREE = "None"
"""A result that costs nothing."""
TOGETHER = ("ndarray[f64]", "bytes")
"""Kinds that cost something else, more or less, where an argument and the result are of them."""


class Signature(NamedTuple):
    """The kinds of a function's arguments and result."""

    arguments: tuple[str, ...]
    result: str = FREE

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the kinds that a signature has: "f(ndarray[f64], n: int) -> float", a `def` line,
        or only the parentheses. A result of None may be left out.

        Raises:
            ValueError: the text does not have this form.
        """
        arguments, result = signatures.parse(text)
        return cls(arguments, result or FREE)

    def parts(self) -> dict[str, int]:
        """What is paid for, and how many times."""
        parts = Counter([CALLS[bool(self.arguments)], *self.arguments])
        if self.result != FREE:
            parts[f"-> {self.result}"] = 1
        if self.result in TOGETHER and self.result in self.arguments:
            parts[f"both {self.result}"] = 1
        return dict(parts)


class Estimate(NamedTuple):
    """The price of a call through a binding, in nanoseconds."""

    backend: str
    parts: dict[str, float]
    """By part, times how often it is there."""

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.parts.values())


@cache
def measured() -> dict[str, Any]:
    """The committed run: by binding the prices of all parts and how far off they were on calls that
    they were not fitted to, and on what machine and when that was."""
    found: dict[str, Any] = json.loads(MEASURED.read_text("utf-8"))
    return found


def backends() -> list[str]:
    """Those that have prices."""
    return list(measured()["backends"])


def predict(backend: str, signature: Signature) -> Estimate:
    """The price of a call, above an empty C function and its work not included.

    Raises:
        ValueError: no prices for this binding, or none for a kind of argument or result.
    """
    if backend not in measured()["backends"]:
        raise ValueError(f"no costs of {backend!r}: choose from {', '.join(backends())}")
    prices: dict[str, float] = measured()["backends"][backend]["parts"]
    _check(signature, prices)
    return Estimate(
        backend, {part: prices[part] * count for part, count in signature.parts().items()}
    )


def _check(signature: Signature, prices: dict[str, float]) -> None:
    arguments = sorted(part for part in prices if part not in CALLS and " " not in part)
    results = sorted(part.removeprefix("-> ") for part in prices if part.startswith("->"))
    for kind in signature.arguments:
        if kind not in arguments:
            raise ValueError(
                f"no costs of an argument {kind!r}: choose from {', '.join(arguments)}"
            )
    if signature.result not in (FREE, *results):
        known = ", ".join((FREE, *results))
        raise ValueError(f"no costs of a result {signature.result!r}: choose from {known}")
