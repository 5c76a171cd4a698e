"""The rows of the ledger: each is one pattern of crossing the boundary, as a statement to be timed.

A row names a function of `backend.patterns`, which may have variants. If the idiom of the
documentation lets more pass than the protocol allows, `patterns.idiomatic.name` is that idiom and
`patterns.name` the checked form; otherwise `patterns.name` is the idiom itself.
`patterns.fast.name` is quicker with the same arguments, at a price.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core.clock import Timed
from benchmarks.ledger import empty
from ffi_cookbook.bindings.errors import PatternError

VARIANTS = ("idiomatic", "fast")
HELLO = "hello world"
ACCENTS = "naïve café"  # ten characters, two of which take two bytes in UTF-8
DATA = HELLO.encode()


class Row(NamedTuple):
    """One pattern."""

    page: str
    """Where it is written: bindings/<binding>/patterns/<page>."""
    signature: str
    """Its kinds of argument and result, as the cost model reads them."""
    function: str
    """What of binding.patterns is timed: `f` in the statement."""
    statement: str
    arguments: Mapping[str, Any]
    """The other names of the statement."""
    answer: Any
    """What the statement gives, or the exception it raises."""

    def is_in(self, patterns: Any) -> bool:
        """Return True if these patterns have the function, and the types of its arguments."""
        kinds = [value.kind for value in self.arguments.values() if isinstance(value, Made)]
        return all(callable(getattr(patterns, name, None)) for name in (self.function, *kinds))

    def names(self, patterns: Any, variant: str | None = None) -> dict[str, Any]:
        """Return the objects that the statement names, for one binding and variant."""
        space = getattr(patterns, variant) if variant else patterns
        function = getattr(space, self.function)
        arguments = {
            name: value.by(space, patterns) if isinstance(value, Made) else value
            for name, value in self.arguments.items()
        }
        return {"f": function, **arguments}

    def timed(self, patterns: Any, variant: str | None = None) -> Timed:
        """Return the statement, ready to be timed."""
        return Timed(self._guarded(self.statement), self.names(patterns, variant))

    def nothing(self) -> Timed:
        """Return the statement with an empty C function or object in place of the binding's."""
        nobody = empty.instance()
        function = "keywords" if "=" in self.statement else "call"
        if self.statement.startswith("for "):
            function = "iterator"
        names = {
            name: nobody if isinstance(value, Made) else value
            for name, value in self.arguments.items()
        }
        return Timed(self._guarded(self.statement), {"f": getattr(nobody, function), **names})

    def outcome(self, patterns: Any, variant: str | None = None) -> Any:
        """Return the result of the statement, or the exception that it raises."""
        try:
            return _result(self.statement, self.names(patterns, variant))
        except Exception as error:
            return error.with_traceback(None)

    def wrong(self, patterns: Any, variant: str | None = None) -> str | None:
        """Return the difference between the answer and the right one, or None."""
        result = self.outcome(patterns, variant)
        if isinstance(self.answer, Exception):
            right = type(result) is type(self.answer) and str(result) == str(self.answer)
        else:
            right = type(result) is type(self.answer) and np.array_equal(result, self.answer)
        return None if right else f"{self.statement} gave {result!r}, not {self.answer!r}"

    def _guarded(self, statement: str) -> str:
        if not isinstance(self.answer, Exception):
            return statement
        return f"try:\n    {statement}\nexcept Exception:\n    pass"


class Made(NamedTuple):
    """An argument of a type of the binding, or of the variant's own type if it has one."""

    kind: str
    values: tuple[Any, ...]

    def by(self, variant: Any, patterns: Any) -> Any:
        """Return the object."""
        made = variant if hasattr(variant, self.kind) else patterns
        return getattr(made, self.kind)(*self.values)


def _result(statement: str, names: dict[str, Any]) -> Any:
    """Return the result of a statement.

    It is the value of an expression, the items of a loop, or the value of the object that an
    assignment changed.
    """
    if statement.startswith("for "):
        return list(eval(statement.removeprefix("for _ in ").removesuffix(": pass"), names))
    if " = " in statement:
        exec(statement, names)
        statement = statement.partition(" = ")[0]
    result = eval(statement, names)
    if hasattr(result, "x"):
        return (result.x, result.y)
    return getattr(result, "value", result)


def _plus_one(x: float) -> float:
    return x + 1.0


def _raises(x: float) -> float:
    raise LookupError("from Python")


def _row(page: str, signature: str, function: str, answer: Any, *values: Any) -> Row:
    names = dict(zip("abcdeg", values, strict=False))
    return Row(page, signature, function, f"f({', '.join(names)})", names, answer)


_COUNTER = {"c": Made("Counter", (5,))}
_EIGHT, _STRIDED = np.arange(8.0), np.arange(16.0)[::2]
_TEXTS = [HELLO, ACCENTS, "", "x"]
_WEIGHTS = {"one": 0.5, "two": 0.25, "three": 2.0, "four": 1.0}

ROWS: dict[str, Row] = {
    "noop": _row("scalars", "() -> None", "noop", None),
    "noop_nogil": _row("scalars", "() -> None", "noop_nogil", None),
    "int_in": _row("scalars", "(int) -> None", "int_in", None, 3),
    "int_out": _row("scalars", "() -> int", "int_out", 42),
    "invert": _row("scalars", "(bool) -> bool", "invert", True, False),
    "add_int": _row("scalars", "(int, int) -> int", "add_int", 7000, 3000, 4000),
    "add_float": _row("scalars", "(float, float) -> float", "add_float", 7.75, 3.5, 4.25),
    "six_scalars": _row(
        "scalars",
        "(int, float, int, float, int, float) -> float",
        "six_scalars",
        22.5,
        1,
        2.5,
        3,
        4.5,
        5,
        6.5,
    ),
    "keywords": Row(
        "scalars",
        "(float, *, float, float) -> float",
        "keywords",
        "f(a, scale=b, offset=c)",
        {"a": 3.0, "b": 2.0, "c": 1.5},
        7.5,
    ),
    "defaults": _row("scalars", "(float) -> float", "keywords", 3.0, 3.0),
    "str_in": _row("text", "(str) -> int", "str_in", sum(DATA), HELLO),
    "str_in_utf8": Row(
        "text",
        "(str) -> int",
        "str_in",
        "f(a + b)",
        {"a": ACCENTS[:6], "b": ACCENTS[6:]},
        sum(ACCENTS.encode()),
    ),
    "str_out": _row("text", "() -> str", "str_out", HELLO),
    "bytes_in": _row("text", "(bytes) -> int", "bytes_in", sum(DATA), DATA),
    "bytes_out": _row("text", "() -> bytes", "bytes_out", DATA),
    "bytes_map": _row("text", "(bytes) -> bytes", "bytes_map", bytes(b ^ 0xFF for b in DATA), DATA),
    "buffer_in": _row("text", "(Buffer) -> int", "buffer_in", sum(DATA), bytearray(DATA)),
    "array_in": _row("arrays", "(ndarray[f64]) -> float", "array_in", 28.0, _EIGHT),
    "array_in_nogil": _row("arrays", "(ndarray[f64]) -> float", "array_in_nogil", 28.0, _EIGHT),
    "strided_in": _row("arrays", "(ndarray[f64]) -> float", "strided_in", 56.0, _STRIDED),
    "array_out": _row("arrays", "(int) -> ndarray[f64]", "array_out", _EIGHT, 8),
    "array_map": _row("arrays", "(ndarray[f64]) -> ndarray[f64]", "array_map", _EIGHT * 2, _EIGHT),
    "array_inplace": _row(
        "arrays", "(ndarray[f64], float) -> None", "array_inplace", None, np.ones(8), 1.0
    ),
    "dlpack_in": _row("arrays", "(dlpack) -> float", "dlpack_in", 28.0, _EIGHT),
    "list_in": _row("containers", "(list) -> float", "list_in", 4.0, [0.5] * 8),
    "list_out": _row("containers", "(int) -> list", "list_out", _EIGHT.tolist(), 8),
    "strings_in": _row(
        "containers", "(list[str]) -> int", "strings_in", sum("".join(_TEXTS).encode()), _TEXTS
    ),
    "dict_in": _row(
        "containers",
        "(dict) -> float",
        "dict_in",
        sum(sum(key.encode()) * value for key, value in _WEIGHTS.items()),
        _WEIGHTS,
    ),
    "tuple_out": _row("containers", "(int, int) -> tuple", "tuple_out", (3, 4), 4, 3),
    "struct_in": Row(
        "objects", "(Point) -> float", "struct_in", "f(p)", {"p": Made("Point", (1.5, 2.5))}, 4.0
    ),
    "struct_out": _row("objects", "(float, float) -> Point", "struct_out", (1.5, 2.5), 1.5, 2.5),
    "object_new": _row("objects", "(int) -> Counter", "Counter", 5, 5),
    "method": Row("objects", "(int) -> int", "Counter", "c.add(a)", {**_COUNTER, "a": 0}, 5),
    "attribute_get": Row("objects", "() -> int", "Counter", "c.value", _COUNTER, 5),
    "attribute_set": Row(
        "objects", "(int) -> None", "Counter", "c.value = a", {**_COUNTER, "a": 7}, 7
    ),
    "iterate": Row(
        "objects",
        "(int) -> Iterator",
        "countdown",
        "for _ in f(a): pass",
        {"a": 8},
        list(range(7, -1, -1)),
    ),
    "callback": _row("calls", "(Callable, float) -> float", "callback", 3.0, _plus_one, 1.0),
    "callback_error": _row(
        "calls", "(Callable, float) -> float", "callback", LookupError("from Python"), _raises, 1.0
    ),
    "success": _row("calls", "(int) -> None", "error", None, 0),
    "error": _row(
        "calls", "(int) -> None", "error", ValueError("native call failed with code 7"), 7
    ),
    "error_fields": _row("calls", "(int, int) -> None", "error_fields", PatternError(7, 40), 7, 40),
    "interruptible": _row("calls", "(int) -> int", "interruptible", 1082269761, 1),
}

HELD_OUT: dict[str, Row] = {
    "score": _row("text", "(str, int, float) -> float", "score", sum(DATA) + 5.5, HELLO, 3, 2.5),
    "scaled": _row(
        "arrays", "(ndarray[f64], float) -> ndarray[f64]", "scaled", _EIGHT * 2, _EIGHT, 2.0
    ),
}
"""Several kinds at once: the cost model is not fitted on these, but judged by them."""

ALL = {**ROWS, **HELD_OUT}
NOTES = {
    "noop_nogil": "the GIL released",
    "keywords": "two arguments by name",
    "defaults": "the same, without both",
    "str_in": "11 bytes, ASCII",
    "str_in_utf8": "12 bytes, not ASCII, a new str for each call",
    "str_out": "11 bytes",
    "bytes_in": "11 bytes",
    "bytes_out": "11 bytes",
    "bytes_map": "11 bytes, new ones",
    "buffer_in": "a bytearray of 11",
    "array_in": "8 items",
    "array_in_nogil": "the GIL released",
    "strided_in": "every second of 16",
    "array_out": "8 items, new",
    "array_map": "8 items, a new array",
    "array_inplace": "8 items",
    "dlpack_in": "8 items, by NumPy's __dlpack__",
    "list_in": "8 floats",
    "list_out": "8 floats",
    "strings_in": "4 texts",
    "dict_in": "4 items",
    "object_new": "made and freed",
    "iterate": "8 items",
    "callback": "includes the time of the Python function",
    "callback_error": "the function raises; caught",
    "success": "an error code of 0",
    "error": "raised and caught",
    "error_fields": "an exception of our own",
    "interruptible": "one round of work, and a check for Ctrl-C",
}
"""What else the reader of a table should know of a row."""
GIL_ALWAYS_FREED = ("cffi", "torch")
"""The bindings that release the GIL in every call; the others hold it outside the rows for it."""
HEADLINE = (
    "noop",
    "add_int",
    "six_scalars",
    "str_in",
    "array_in",
    "list_in",
    "object_new",
    "method",
    "callback",
    "error",
)
"""What most people ask for."""
KINDS = {
    "arrays taken": ("array_in", "array_inplace"),
    "arrays made": ("array_out",),
    "scalars": ("noop", "int_in", "int_out", "invert", "add_int", "add_float", "six_scalars"),
    "objects": ("object_new", "method", "attribute_get", "attribute_set", "struct_in"),
    "strings": ("str_in", "str_in_utf8", "str_out", "bytes_in", "bytes_out", "strings_in"),
    "containers": ("list_in", "list_out", "dict_in", "tuple_out"),
    "exceptions": ("error", "error_fields", "callback_error"),
}
"""The patterns by which a binding is chosen, by kind of argument.

Left out are those of which no page has the documented form.
"""


def contenders(
    backends: Mapping[str, ModuleType], row: str
) -> Iterator[tuple[str, str | None, Any]]:
    """Yield each implementation of a row: the binding's name, the variant or None, its patterns."""
    for backend, module in backends.items():
        if getattr(module, "outside", False) and not ALL[row].is_in(module.patterns):
            continue
        yield backend, None, module.patterns
        for variant in VARIANTS:
            if hasattr(getattr(module.patterns, variant, None), ALL[row].function):
                yield backend, variant, module.patterns
