"""The probes: what one call costs, above evaluating its arguments."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from clock import Timed, interleaved

NOTHING = "nothing"


class Probe(NamedTuple):
    """One pattern of crossing the border."""

    call: str
    arguments: Mapping[str, Any]
    answer: Any

    def timed(self, function: Any) -> Timed:
        """A statement that calls the function."""
        return Timed(self._caught(self.call), {"f": function, **self.arguments})

    def nothing(self) -> Timed:
        """The same statement without the call: its operands, evaluated and dropped."""
        operands = "; ".join(("f", *self.arguments))
        return Timed(self._caught(operands), {"f": None, **self.arguments})

    def wrong(self, function: Any) -> str | None:
        """How the function's answer differs from what it should be, or None."""
        try:
            result = eval(self.call, {"f": function, **self.arguments})
        except Exception as error:
            result = error
        if isinstance(self.answer, Exception):
            right = type(result) is type(self.answer) and str(result) == str(self.answer)
        else:
            right = np.array_equal(result, self.answer)
        return None if right else f"{self.call} gave {result!r}, not {self.answer!r}"

    def _caught(self, statement: str) -> str:
        if not isinstance(self.answer, Exception):
            return statement
        return f"try:\n    {statement}\nexcept Exception:\n    pass"


def _plus_one(x: float) -> float:
    return x + 1.0


_SCALARS = {"a": 1, "b": 2.5, "c": 3, "d": 4.5, "e": 5, "g": 6.5}

PROBES = {
    "noop": Probe("f()", {}, None),
    "noop_nogil": Probe("f()", {}, None),
    "add_int": Probe("f(a, b)", {"a": 3, "b": 4}, 7),
    "add_float": Probe("f(a, b)", {"a": 3.5, "b": 4.25}, 7.75),
    "six_scalars": Probe("f(a, b, c, d, e, g)", _SCALARS, 22.5),
    "keywords": Probe("f(x, scale=s, offset=o)", {"x": 3.0, "s": 2.0, "o": 1.5}, 7.5),
    "str_in": Probe("f(text)", {"text": "naïve text"}, sum("naïve text".encode())),
    "bytes_in": Probe("f(data)", {"data": b"hello world"}, sum(b"hello world")),
    "array_in": Probe("f(values)", {"values": np.arange(8.0)}, 28.0),
    "array_out": Probe("f(n)", {"n": 8}, np.arange(8.0)),
    "list_in": Probe("f(values)", {"values": [0.5] * 8}, 4.0),
    "callback": Probe("f(function, x)", {"function": _plus_one, "x": 1.0}, 3.0),
    "error": Probe("f(code)", {"code": 7}, ValueError("native call failed with code 7")),
}


def wrong_answers(door: ModuleType) -> list[str]:
    """What the door's probes get wrong."""
    complaints = ((name, probe.wrong(getattr(door.probes, name))) for name, probe in PROBES.items())
    return [f"probes.{name}: {complaint}" for name, complaint in complaints if complaint]


def measure(
    doors: Mapping[str, ModuleType], rounds: int, slice_s: float, order: random.Random
) -> Iterator[tuple[str, dict[str, dict[str, float]]]]:
    """Per probe and door the seconds of a call: net, and gross with its arguments."""
    border = {name: door for name, door in doors.items() if name != "numpy"}
    for name, probe in order.sample(sorted(PROBES.items()), len(PROBES)):
        contestants = {
            door: probe.timed(getattr(module.probes, name)) for door, module in border.items()
        }
        times = interleaved({NOTHING: probe.nothing(), **contestants}, rounds, slice_s, order)
        nothing = times.pop(NOTHING)
        yield (
            f"probe {name}",
            {
                door: {"seconds": seconds - nothing, "gross": seconds}
                for door, seconds in times.items()
            },
        )
