"""Valid calls of the patterns, from their signatures."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np

from ..case import Case, Function
from ..verdict import plain

# The arguments of each pattern: i an int, n a size, r a number of rounds, f a float, b a bool, s a
# str,
# d bytes, u a buffer, a an array, t a tensor, l a list of floats, L a list of str, w a dict,
# c a callable, p a point.
SIGNATURES = {
    "noop": "", "noop_nogil": "", "int_in": "i", "int_out": "", "invert": "b", "add_int": "ii",
    "add_float": "ff", "six_scalars": "ififif", "str_in": "s", "str_out": "", "bytes_in": "d",
    "bytes_out": "", "bytes_map": "d", "buffer_in": "u", "array_in": "a", "array_in_nogil": "a",
    "strided_in": "a", "array_out": "n", "array_map": "a", "array_inplace": "af", "dlpack_in": "t",
    "list_in": "l", "list_out": "n", "strings_in": "L", "dict_in": "w", "tuple_out": "ii",
    "struct_in": "p", "struct_out": "ff", "countdown": "i", "callback": "cf", "error": "i",
    "error_fields": "ii", "interruptible": "r", "add_three": "iii", "score": "sif", "stamp": "di",
    "scaled": "af", "shifted": "ais",
}  # fmt: skip
LETTERS = {
    "i": "int", "n": "size", "r": "rounds", "f": "float", "b": "flag", "s": "text", "d": "buffer",
    "u": "buffer", "a": "array", "t": "tensor", "l": "list", "L": "list", "w": "list",
    "c": "callable", "p": "point",
}  # fmt: skip


def double(x: float) -> float:
    return 2 * x


def valid(case: Case, letter: str) -> Any:
    rng = case.rng
    if letter == "i":
        return rng.choice((0, 1, -1, 5, 2**40, -(2**63), 2**63 - 1))
    if letter in "nr":
        return rng.choice((0, 0, 1, 2, 9, 200))
    if letter == "f":
        return rng.choice((0.0, 1.5, -2.0, 3))
    if letter == "b":
        return rng.random() < 0.5
    if letter == "s":
        return rng.choice(("", "wörld", "a" * 30, "\0x"))
    if letter in "du":
        return rng.choice((b"", b"ab", bytes(range(50))))
    if letter in "at":
        x = np.arange(float(rng.choice((0, 1, 2, 7, 40))))
        return x if rng.random() < 0.3 else case.memory.place(x)
    if letter == "l":
        return [float(i) for i in range(rng.choice((0, 1, 5)))]
    if letter == "L":
        return [f"wörld {i}" for i in range(rng.choice((0, 1, 5)))]
    if letter == "w":
        return {f"wörld {i}": float(i) for i in range(rng.choice((0, 1, 5)))}
    if letter == "c":
        return double
    return case.patterns.Point(1.5, 2.0)


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
    Function("keywords", "patterns", make_keywords, keywords, digest, subject),
    Function("Counter", "patterns", make_counter, counter, digest, subject),
    Function("Point", "patterns", make_point, point, digest, subject),
    *[Function("a life", "patterns", make_life, live, digest, subject)] * 3,
]
