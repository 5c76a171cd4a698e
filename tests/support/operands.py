"""Operands that each pattern accepts, and others, by its types; each call makes new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS, integer, number, text

SIZE = 8
"""The items of an array or list, as in the published tables."""


def array(draw: Random) -> npt.NDArray[np.float64]:
    return np.array([number(draw) for _ in range(SIZE)])


def raising(x: float) -> float:
    raise LookupError(x)


class Kind(NamedTuple):
    """What a pattern accepts, and what it refuses instead of such a value."""

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
        lambda function: (raising, lambda x: "text", lambda: 1.0, "text"),
    ),
}
SMALL = KINDS["int"]._replace(draw=lambda draw: draw.randint(-99, 99))  # exact as a double
COUNT = Kind(lambda draw: SIZE, lambda n: (-n, str(n)))
TENSOR = Kind(array, lambda a: (a[::2], a.astype("f4"), a.tolist(), None))
CODE = Kind(lambda draw: 0, lambda code: (1234, 2**80))
ITS_OWN = {
    "array_out.0": COUNT,
    "list_out.0": COUNT,
    "countdown.0": Kind(COUNT.draw, lambda n: (str(n),)),
    "interruptible.0": COUNT,
    "error.0": CODE,
    "error_fields.0": CODE,
    "strided_in.0": Kind(
        lambda draw: np.concatenate([array(draw), array(draw)])[::2],
        lambda a: (a.reshape(2, -1), a.astype("f4"), a.tolist()),
    ),
    "dlpack_in.0": TENSOR,
    "tensor_in.0": TENSOR,
    "tensor_out.0": Kind(array, lambda a: (a.tolist(), None)),
    "tensor_out.1": COUNT,
    "six_scalars.0": SMALL,
    "six_scalars.2": SMALL,
    "six_scalars.4": SMALL,
    "score.1": SMALL,
}


def kinds(name: str) -> list[Kind | None]:
    """Return the kind of each argument; None stands for a `Point` of the binding itself."""
    types = PATTERNS[name].types
    return [ITS_OWN.get(f"{name}.{place}", KINDS.get(kind)) for place, kind in enumerate(types)]


def accepted(name: str, draw: Random, patterns: Any) -> tuple[Any, ...]:
    return tuple(
        kind.draw(draw) if kind else patterns.Point(number(draw), number(draw))
        for kind in kinds(name)
    )


def refused(name: str, draw: Random, patterns: Any) -> Iterator[tuple[Any, ...]]:
    """Yield arguments that the pattern refuses, each time for another reason."""
    for place, kind in enumerate(kinds(name)):
        arguments = accepted(name, draw, patterns)
        for wrong in kind.refused(arguments[place]) if kind else ((1.5, 2.5), None):
            yield (*arguments[:place], wrong, *arguments[place + 1 :])
