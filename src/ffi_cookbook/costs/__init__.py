"""The cost of a call, estimated from its signature.

The prices of the call itself, of each argument and of the result are added up, with a correction if
an argument and the result have one kind. docs/costs.md says how the prices were found.

>>> from ffi_cookbook.costs import Signature, predict
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

from ffi_cookbook.costs import signatures

MEASURED = Path(__file__).with_name("measured.json")
CALLS = ("no argument", "arguments")
"""The parts for the call itself: most tools treat a call without arguments specially."""
FREE = "None"
"""A result that costs nothing."""
TOGETHER = ("ndarray[f64]", "bytes")
"""Kinds that cost more or less when both an argument and the result are of this kind."""
SIZES = {
    "str": "11 ASCII characters",
    "bytes": "11 bytes",
    "Buffer": "a bytearray of 11 bytes",
    "ndarray[f64]": "8 items",
    "dlpack": "8 items",
    "list": "8 floats",
    "list[str]": "4 texts",
    "dict": "4 items",
    "tuple": "2 ints",
    "Callable": "one call of a Python function of a float",
}
"""By kind, what was measured."""


class Signature(NamedTuple):
    """The kinds of a function's arguments and result; a class that is called returns Self."""

    arguments: tuple[str, ...]
    result: str = FREE
    named: int = 0  # arguments passed by name

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the kinds of a signature's arguments and result.

        The text is like "f(ndarray[f64], n: int) -> float", a `def` line whose parameters have
        types, or only the parentheses. A result of None may be left out. Arguments after a `*`
        are passed by name. An `__init__` stands for a call of its class.

        Raises:
            ValueError: the text does not have this form.
        """
        arguments, result, named = signatures.parse(text)
        return cls(arguments, result or FREE, named)

    def parts(self) -> dict[str, int]:
        """Return the parts of the price, and how many times each is paid."""
        parts = Counter([CALLS[bool(self.arguments)], *self.arguments, *["by name"] * self.named])
        if self.result != FREE:
            parts[f"-> {self.result}"] = 1
        if self.result in TOGETHER and self.result in self.arguments:
            parts[f"both {self.result}"] = 1
        return dict(parts)


class Estimate(NamedTuple):
    """The price of a call through a binding, in nanoseconds."""

    backend: str
    parts: dict[str, float]
    """The price of each part, times its count in the signature."""

    @property
    def total(self) -> float:
        """The sum of all parts."""
        return sum(self.parts.values())


@cache
def measured() -> dict[str, Any]:
    """Return the committed run of the measurements.

    For each binding it has the prices of all parts, and their error on calls that they were not
    fitted to. It also names the machine and the date.
    """
    found: dict[str, Any] = json.loads(MEASURED.read_text("utf-8"))
    return found


def backends() -> list[str]:
    """Return the names of the bindings that have prices."""
    return list(measured()["backends"])


def predict(backend: str, signature: Signature, *, ours: bool = False) -> Estimate:
    """Return the estimated price of a call of code as the technology's documentation writes it.

    With `ours`, it is the price of this project's own code, which is written for speed and safety.
    The price is counted above that of an empty C function and does not include the work of the
    function called.

    Raises:
        ValueError: there are no prices for this binding, or for a kind of argument or result.
    """
    if backend not in measured()["backends"]:
        raise ValueError(f"no costs of {backend!r}: choose from {', '.join(backends())}")
    prices: dict[str, float] = measured()["backends"][backend]["ours" if ours else "parts"]
    _check(signature, prices)
    paid = {part: prices[part] * count for part, count in signature.parts().items()}
    return Estimate(backend, paid)


def _check(signature: Signature, prices: dict[str, float]) -> None:
    arguments = sorted(part for part in prices if " " not in part and part not in CALLS)
    results = sorted(part.removeprefix("-> ") for part in prices if part.startswith("->"))
    asked = [("an argument", kind, arguments) for kind in signature.arguments]
    for what, kind, known in [*asked, ("a result", signature.result, [FREE, *results])]:
        if kind not in known:
            raise ValueError(f"no costs of {what} {kind!r}: choose from {', '.join(known)}")
