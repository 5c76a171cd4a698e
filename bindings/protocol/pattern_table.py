"""The table of the patterns: the page and types of each, operands that it accepts, and others.

Names and types are those of `Patterns`, and the right answer is the python binding's. An operand is
drawn by its type, unless ITS_OWN names the parameter. Every call makes new objects.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol.patterns import Patterns

SIZE = 8
"""The items of an array or list, as in the published tables."""


def integer(draw: Random) -> int:
    """Return an int64, small or large."""
    return draw.randint(-(2 ** draw.choice([3, 31, 62])), 2 ** draw.choice([3, 31, 62]))


def small(draw: Random) -> int:
    """Return an integer that a double has room for."""
    return draw.randint(-99, 99)


def number(draw: Random) -> float:
    """Return a float of few digits: sums of such floats are exact in any order."""
    return draw.randint(-4096, 4096) / 64


def text(draw: Random) -> str:
    """Return a text of 11 characters, not all of them ASCII."""
    return "".join(draw.choice("abcdefg xyzäß漢😀") for _ in range(11))


def array(draw: Random) -> npt.NDArray[np.float64]:
    """Return a float64 array."""
    return np.array([number(draw) for _ in range(SIZE)])


def _raising(x: float) -> float:
    raise LookupError(x)


class Kind(NamedTuple):
    """Operands of one kind: what a pattern accepts, and what it refuses instead of such a value."""

    draw: Callable[[Random], Any]
    refused: Callable[[Any], tuple[Any, ...]]


KINDS = {
    "int": Kind(integer, lambda a: (2**80 + a, str(a), a / 3, None)),
    "float": Kind(number, lambda x: (str(x), None)),
    "bool": Kind(lambda draw: draw.random() < 0.5, lambda flag: (int(flag), np.bool_(flag), None)),
    "str": Kind(text, lambda text: (text + "\ud800", text.encode(), None)),
    "bytes": Kind(lambda draw: draw.randbytes(11), lambda data: (data.hex(), None)),
    "Buffer": Kind(
        lambda draw: bytearray(draw.randbytes(11)),
        lambda data: (data.hex(), memoryview(data)[::2], None),
    ),
    "Floats": Kind(array, lambda a: (a[::2], a.astype("f4"), a.reshape(2, -1), a.tolist(), None)),
    "list[float]": Kind(
        lambda draw: array(draw).tolist(), lambda values: ([*values, "text"], tuple("text"))
    ),
    "list[str]": Kind(
        lambda draw: [text(draw) for _ in range(4)],
        lambda texts: ([*texts, "\ud800"], [*texts, 1.5]),
    ),
    "dict[str, float]": Kind(
        lambda draw: {text(draw): number(draw) for _ in range(4)},
        lambda weights: ({**weights, "text": "text"}, {**weights, 1.5: 1.5}),
    ),
    "Callable[[float], float]": Kind(
        lambda draw: lambda x: x + 1.0,
        lambda function: (_raising, lambda x: "text", lambda: 1.0, "text"),
    ),
}
ITS_OWN = {
    "array_out.n": Kind(lambda draw: SIZE, lambda n: (-n, str(n))),
    "list_out.n": Kind(lambda draw: SIZE, lambda n: (-n, str(n))),
    "countdown.n": Kind(lambda draw: SIZE, lambda n: (str(n),)),
    "interruptible.rounds": Kind(lambda draw: SIZE, lambda n: (-n, str(n))),
    "error.code": Kind(lambda draw: 0, lambda code: (1234, 2**80)),
    "error_fields.code": Kind(lambda draw: 0, lambda code: (1234, 2**80)),
    "strided_in.values": Kind(
        lambda draw: np.concatenate([array(draw), array(draw)])[::2],
        lambda a: (a.reshape(2, -1), a.astype("f4"), a.tolist()),
    ),
    "dlpack_in.values": Kind(array, lambda a: (a[::2], a.astype("f4"), a.tolist(), None)),
    "tensor_in.values": Kind(array, lambda a: (a[::2], a.astype("f4"), a.tolist(), None)),
    "tensor_out.like": Kind(array, lambda a: (a.tolist(), None)),
    "tensor_out.n": Kind(lambda draw: SIZE, lambda n: (-n, str(n))),
    "six_scalars.a": KINDS["int"]._replace(draw=small),
    "six_scalars.c": KINDS["int"]._replace(draw=small),
    "six_scalars.e": KINDS["int"]._replace(draw=small),
    "score.n": KINDS["int"]._replace(draw=small),
}


class Pattern(NamedTuple):
    """One pattern."""

    page: str
    """Where it is written: bindings/<binding>/patterns/<page>."""
    types: tuple[str, ...]
    """The types of its positional arguments."""
    result: str
    kinds: tuple[Kind | None, ...]
    """The kind of each argument; None stands for a `Point` of the binding itself."""

    def accepted(self, draw: Random, patterns: Any = None) -> tuple[Any, ...]:
        """Return arguments that the pattern accepts; a Point is made by `patterns`."""
        return tuple(
            kind.draw(draw) if kind else patterns.Point(number(draw), number(draw))
            for kind in self.kinds
        )

    def refused(self, draw: Random, patterns: Any = None) -> Iterator[tuple[Any, ...]]:
        """Yield arguments that the pattern refuses, each time for another reason."""
        for place, kind in enumerate(self.kinds):
            arguments = self.accepted(draw, patterns)
            for wrong in kind.refused(arguments[place]) if kind else ((1.5, 2.5), None):
                yield (*arguments[:place], wrong, *arguments[place + 1 :])


def _pattern(page: type, name: str) -> Pattern:
    signature = inspect.signature(getattr(page, name))
    positional = [p for p in signature.parameters.values() if p.kind is not p.KEYWORD_ONLY][1:]
    return Pattern(
        page.__name__.lower(),
        tuple(parameter.annotation for parameter in positional),
        signature.return_annotation,
        tuple(
            ITS_OWN.get(f"{name}.{parameter.name}", KINDS.get(parameter.annotation))
            for parameter in positional
        ),
    )


PATTERNS = {
    name: _pattern(page, name)
    for page in Patterns.__bases__[:-1]  # without Protocol
    for name in vars(page)
    if not name.startswith("_")
}
