"""Valid calls of the patterns, from their signatures."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np

from support.pattern_table import CHOICES, SIGNATURES, good

from ..case import Case, Function
from ..verdict import plain

LETTERS = {
    "i": "int", "n": "size", "r": "rounds", "f": "float", "b": "flag", "s": "text", "d": "buffer",
    "u": "buffer", "a": "array", "v": "array", "t": "tensor", "l": "list", "L": "list", "w": "list",
    "c": "callable", "p": "point", "e": "int", "y": "int",
}  # fmt: skip
"""By letter of the table, the kinds of hostile values that take the argument's place."""


def valid(case: Case, letter: str) -> Any:
    """Draw an operand from the table; most arrays touch a guard page."""
    operand = good(letter, case.rng.randrange(CHOICES), case.patterns)
    if isinstance(operand, np.ndarray) and operand.flags.c_contiguous and case.rng.random() < 0.7:
        return case.memory.place(operand)
    return operand


def maker(signature: str) -> Any:
    def make(case: Case) -> dict[str, tuple[str, Any]]:
        return {
            f"{letter}{at}": (LETTERS[letter], valid(case, letter))
            for at, letter in enumerate(signature)
        }

    return make


def caller(name: str) -> Any:
    def call(patterns: Any, v: dict[str, Any]) -> Any:
        result = getattr(patterns, name)(*v.values())
        if name == "countdown":
            return [item for item, _ in zip(result, range(300), strict=False)]
        return result

    return call


def digest(case: Case, result: Any) -> Any:
    arrays = [value for value in case.values.values() if isinstance(value, np.ndarray)]
    written = (
        [plain(np.asarray(x)) for x in arrays] if case.function.name == "array_inplace" else ()
    )
    x = getattr(result, "x", None) if type(result).__name__ == "Point" else None
    return plain(result), plain(x), written


def subject(backend: Any, case: Case) -> Any:
    return case.patterns


# ---- keywords and objects ---------------------------------------------------------------------


def make_keywords(case: Case) -> dict[str, tuple[str, Any]]:
    return {name: ("float", valid(case, "f")) for name in ("x", "scale", "offset")}


def keywords(patterns: Any, v: dict[str, Any]) -> Any:
    return patterns.keywords(v["x"], scale=v["scale"], offset=v["offset"])


def make_counter(case: Case) -> dict[str, tuple[str, Any]]:
    return {name: ("int", valid(case, "i")) for name in ("value", "n", "set")}


def counter(patterns: Any, v: dict[str, Any]) -> Any:
    one = patterns.Counter(v["value"])
    added = one.add(v["n"])
    one.value = v["set"]
    return added, one.value


def make_point(case: Case) -> dict[str, tuple[str, Any]]:
    return {"x": ("float", valid(case, "f")), "y": ("float", valid(case, "f"))}


def point(patterns: Any, v: dict[str, Any]) -> Any:
    one = patterns.Point(v["x"], v["y"])
    return one.x, one.y, patterns.struct_in(one)


LIVES = ["new", "pickle", "copy", "deepcopy", "init", "subclass", "base", "set", "delete"]


def make_life(case: Case) -> dict[str, tuple[str, Any]]:
    case.lies = True  # a technology may refuse this
    return {
        "kind": ("", case.rng.choice(("Point", "Counter", "countdown"))),
        "life": ("", case.rng.choice(LIVES)),
        "protocol": ("", case.rng.randrange(6)),
        "number": ("int", 3),
    }


def live(patterns: Any, v: dict[str, Any]) -> Any:
    """Lead an object through an odd life. Each technology may refuse in its own way."""
    number = v["number"]
    arguments = (number, number) if v["kind"] == "Point" else (number,)
    one = getattr(patterns, v["kind"])(*arguments)
    kind, life = type(one), v["life"]
    try:
        if life == "new":
            one = kind.__new__(kind)
        elif life == "pickle":
            one = pickle.loads(pickle.dumps(one, v["protocol"]))
        elif life in ("copy", "deepcopy"):
            one = getattr(copy, life)(one)
        elif life == "init":
            one.__init__(*arguments)
            one.__init__()
        elif life == "subclass":
            one = type("SubKind", (kind,), {})(*arguments)
        elif life == "base":
            one = kind.__mro__[1].__new__(kind)
        elif life == "set":
            one.x = one.value = number
        elif life == "delete":
            del one.value
        use(patterns, one)
    except (AttributeError, StopIteration, pickle.PicklingError):
        pass


def use(patterns: Any, one: Any) -> None:
    """Use an object in every way that its kind allows."""
    for way in (
        lambda: one.x,
        lambda: one.value,
        lambda: one.add(1),
        lambda: next(one),
        lambda: patterns.struct_in(one),
        lambda: repr(one),
    ):
        try:
            way()
        except (AttributeError, TypeError, ValueError, StopIteration):
            continue


PATTERNS = [
    *(
        Function(name, "patterns", maker(signature), caller(name), digest, subject)
        for name, signature in SIGNATURES.items()
    ),
    Function("countdown", "patterns", maker("i"), caller("countdown"), digest, subject),
    Function("keywords", "patterns", make_keywords, keywords, digest, subject),
    Function("Counter", "patterns", make_counter, counter, digest, subject),
    Function("Point", "patterns", make_point, point, digest, subject),
    *[Function("a life", "patterns", make_life, live, digest, subject)] * 3,
]
