"""The rows of the ledger: each is one pattern of crossing the boundary, as a statement to be timed.

A row names a function of `backend.patterns`, which may have variants. If the idiom of the
documentation lets more pass than the protocol allows, `patterns.idiomatic.name` is that idiom and
`patterns.name` the checked form; otherwise `patterns.name` is the idiom itself.
`patterns.fast.name` is quicker with the same arguments, at a price.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import sample
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core.clock import Timed
from benchmarks.ledger import empty
from ffi_cookbook.bindings.errors import PatternError
from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS

VARIANTS = ("idiomatic", "fast")
HELLO = "hello world"
ACCENTS = "naïve café"  # ten characters, two of which take two bytes in UTF-8
TEXT, EIGHT = "".join(sample(HELLO, len(HELLO))), [one / 4 for one in sample(range(99), 8)]
"""Drawn anew in every process, so that a function which knows the operands cannot be timed."""
DATA = TEXT.encode()


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
    note: str = ""
    """What else the reader of a table should know."""

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
        result = plain(self.outcome(patterns, variant))
        said = f"{self.statement} gave {result!r}, not {self.answer!r}"
        return None if alike(result, self.answer) else said

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

    It is the value of an expression, the items of a loop, or what an assignment has assigned.
    """
    if statement.startswith("for "):
        return list(eval(statement.removeprefix("for _ in ").removesuffix(": pass"), names))
    if " = " in statement:
        exec(statement, names)
        statement = statement.partition(" = ")[0]
    return eval(statement, names)


def plain(result: Any) -> Any:
    """Return the values of an object of a binding's own type, and anything else as it is."""
    if hasattr(result, "x"):
        return (result.x, result.y)
    return getattr(result, "value", result)


def alike(one: Any, other: Any) -> bool:
    """Return True if two outcomes are equal, and of the same types down to their items."""
    if type(one) is not type(other) or isinstance(one, Exception):
        return type(one) is type(other) and str(one) == str(other)
    return repr(one) == repr(other) and (type(one) is not np.ndarray or np.array_equal(one, other))


def _plus_one(x: float) -> float:
    return x + 1.0


def _raises(x: float) -> float:
    raise LookupError("from Python")


KIND_NAMES = {
    "Floats": "ndarray[f64]",
    "Any": "dlpack",
    "list[float]": "list",
    "dict[str, float]": "dict",
    "tuple[int, int]": "tuple",
    "PointObject": "Point",
    "CounterObject": "Counter",
    "Callable[[float], float]": "Callable",
    "Iterator[int]": "Iterator",
}
"""The cost model's names of the protocol's types."""


def _row(
    function: str,
    answer: Any,
    *values: Any,
    note: str = "",
    call: str = "",
    signature: str = "",
    **names: Any,
) -> Row:
    """Return the row of a pattern, whose page and types are those of the protocol."""
    pattern = PATTERNS[function]
    kinds = [KIND_NAMES.get(one, one) for one in (*pattern.types, pattern.result)]
    names = dict(zip("abcdeg", values, strict=False)) | names
    return Row(
        pattern.page,
        signature or f"({', '.join(kinds[:-1])}) -> {kinds[-1]}",
        function,
        call or f"f({', '.join(names)})",
        names,
        answer,
        note,
    )


_COUNTER = Made("Counter", (5,))
_EIGHT, _STRIDED = np.array(EIGHT), np.repeat(EIGHT, 2)[::2]
_COUNTED, _SUM = np.arange(8.0), sum(EIGHT)
_TEXTS = [TEXT, ACCENTS, "", "x"]
_WEIGHTS = dict(zip(("one", "two", "three", "four"), EIGHT, strict=False))
_WEIGHED = sum(sum(key.encode()) * value for key, value in _WEIGHTS.items())
_KEYWORDS = "(float, *, float, float) -> float"
_FAILED, _FAILED_AT = ValueError("native call failed with code 7"), PatternError(7, 40)

ROWS: dict[str, Row] = {
    "noop": _row("noop", None),
    "noop_nogil": _row("noop_nogil", None, note="the GIL released"),
    "int_in": _row("int_in", None, 3),
    "int_out": _row("int_out", 42),
    "invert": _row("invert", True, False),
    "add_int": _row("add_int", 7000, 3000, 4000),
    "add_float": _row("add_float", 7.75, 3.5, 4.25),
    "six_scalars": _row("six_scalars", 22.5, 1, 2.5, 3, 4.5, 5, 6.5),
    "keywords": _row(
        "keywords",
        7.5,
        call="f(a, scale=b, offset=c)",
        signature=_KEYWORDS,
        note="two arguments by name",
        **{"a": 3.0, "b": 2.0, "c": 1.5},
    ),
    "defaults": _row("keywords", 3.0, 3.0, note="the same, without both"),
    "str_in": _row("str_in", sum(DATA), TEXT, note="11 bytes, ASCII"),
    "str_in_utf8": _row(
        "str_in",
        sum(ACCENTS.encode()),
        ACCENTS[:6],
        ACCENTS[6:],
        call="f(a + b)",
        signature="(str) -> int",
        note="12 bytes, not ASCII, a new str for each call",
    ),
    "str_out": _row("str_out", HELLO, note="11 bytes"),
    "bytes_in": _row("bytes_in", sum(DATA), DATA, note="11 bytes"),
    "bytes_out": _row("bytes_out", HELLO.encode(), note="11 bytes"),
    "bytes_map": _row("bytes_map", bytes(b ^ 0xFF for b in DATA), DATA, note="11 bytes, new ones"),
    "buffer_in": _row("buffer_in", sum(DATA), bytearray(DATA), note="a bytearray of 11"),
    "array_in": _row("array_in", _SUM, _EIGHT, note="8 items"),
    "array_in_nogil": _row("array_in_nogil", _SUM, _EIGHT, note="the GIL released"),
    "strided_in": _row("strided_in", _SUM, _STRIDED, note="every second of 16"),
    "array_out": _row("array_out", _COUNTED, 8, note="8 items, new"),
    "array_map": _row("array_map", _EIGHT * 2, _EIGHT, note="8 items, a new array"),
    "array_inplace": _row("array_inplace", None, np.ones(8), 1.0, note="8 items"),
    "dlpack_in": _row("dlpack_in", _SUM, _EIGHT, note="8 items, by NumPy's __dlpack__"),
    "tensor_in": _row("tensor_in", _SUM, _EIGHT, note="8 items, which NumPy has no C API for"),
    "tensor_out": _row("tensor_out", _COUNTED, _COUNTED, 8, note="8 items, new, for NumPy"),
    "list_in": _row("list_in", _SUM, EIGHT, note="8 floats"),
    "list_out": _row("list_out", _COUNTED.tolist(), 8, note="8 floats"),
    "strings_in": _row("strings_in", sum("".join(_TEXTS).encode()), _TEXTS, note="4 texts"),
    "dict_in": _row("dict_in", _WEIGHED, _WEIGHTS, note="4 items"),
    "tuple_out": _row("tuple_out", (3000, 4000), 4000, 3000),
    "struct_in": _row("struct_in", 4.0, signature="(Point) -> float", p=Made("Point", (1.5, 2.5))),
    "struct_out": _row("struct_out", (1.5, 2.5), 1.5, 2.5),
    "object_new": _row("Counter", 5, 5, signature="__init__(self, int)", note="made and freed"),
    "method": _row("Counter", 5, call="c.add(a)", signature="(int) -> int", c=_COUNTER, a=0),
    "attribute_get": _row("Counter", 5, call="c.value", signature="() -> int", c=_COUNTER),
    "attribute_set": _row(
        "Counter", 7, call="c.value = a", signature="(int) -> None", c=_COUNTER, a=7
    ),
    "iterate": _row(
        "countdown", [*range(7, -1, -1)], 8, call="for _ in f(a): pass", note="8 items"
    ),
    "callback": _row(
        "callback", 3.0, _plus_one, 1.0, note="includes the time of the Python function"
    ),
    "callback_error": _row(
        "callback", LookupError("from Python"), _raises, 1.0, note="the function raises; caught"
    ),
    "success": _row("error", None, 0, note="an error code of 0"),
    "error": _row("error", _FAILED, 7, note="raised and caught"),
    "error_fields": _row("error_fields", _FAILED_AT, 7, 40, note="an exception of our own"),
    "interruptible": _row(
        "interruptible", 1082269761, 1, note="one round of work, and a check for Ctrl-C"
    ),
}

HELD_OUT: dict[str, Row] = {
    "score": _row("score", sum(DATA) + 5.5, TEXT, 3, 2.5),
    "scaled": _row("scaled", _EIGHT * 2, _EIGHT, 2.0),
}
"""Several kinds at once: the cost model is not fitted on these, but judged by them."""

ALL = {**ROWS, **HELD_OUT}
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
