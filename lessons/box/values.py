"""Values as they cross the pipe between the checker and the process that runs a learner's code.

They travel as JSON, so that reading an answer cannot run code. A value of any other type travels as
its type's name and its `repr`, which compare equal to nothing. The checker and the process both
import this file.
"""

from __future__ import annotations

import base64
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LONGEST_TEXT = 300


@dataclass(frozen=True)
class Made:
    """An argument that the process makes: the result of a function of the exercise's drive.py."""

    name: str
    arguments: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(map(repr, self.arguments))})"


@dataclass(frozen=True)
class Other:
    """A value of another type than those that travel."""

    kind: str
    text: str

    def __repr__(self) -> str:
        return f"<{self.kind}: {self.text}>"


def encode(value: Any) -> Any:
    """Return the value in a form for JSON: a list of its type's name and its content."""
    kind = type(value)
    if value is None or kind in (bool, str):
        return [kind.__name__, value]
    if kind is int:
        return ["int", hex(value)]
    if kind is float:
        return ["float", value.hex() if math.isfinite(value) else repr(value)]
    if kind is complex:
        return ["complex", [encode(value.real), encode(value.imag)]]
    if kind in (bytes, bytearray):
        return [kind.__name__, base64.b64encode(value).decode()]
    if kind in (list, tuple):
        return [kind.__name__, [encode(item) for item in value]]
    if kind is dict:
        return ["dict", [[encode(key), encode(item)] for key, item in value.items()]]
    if kind is Made:
        return ["made", [value.name, encode(list(value.arguments))]]
    numpy = sys.modules.get("numpy")
    if numpy and kind is numpy.ndarray and value.dtype.kind in "biufc":
        return ["ndarray", [value.dtype.str, list(value.shape), encode(value.tobytes())]]
    if numpy and isinstance(value, numpy.generic) and value.dtype.kind in "biufc":
        return ["scalar", [value.dtype.str, encode(value.tobytes())]]
    try:
        text = repr(value)
    except Exception as error:
        text = f"its repr raises {type(error).__name__}"
    return ["other", [kind.__name__, text[:LONGEST_TEXT]]]


def decode(data: Any, make: Callable[[str, list[Any]], Any] | None = None) -> Any:
    """Return the value that `encode` encoded, or raise ValueError.

    `make(name, arguments)` makes an argument; without it, `Made` stays as it is.
    """
    try:
        kind, content = data
        match kind:
            case "NoneType" | "bool" | "str":
                return content
            case "int":
                return int(content, 16)
            case "float":
                return float.fromhex(content)
            case "complex":
                return complex(*(decode(part) for part in content))
            case "bytes" | "bytearray":
                raw = base64.b64decode(content, validate=True)
                return raw if kind == "bytes" else bytearray(raw)
            case "list" | "tuple":
                items = [decode(item, make) for item in content]
                return items if kind == "list" else tuple(items)
            case "dict":
                return {decode(key, make): decode(item, make) for key, item in content}
            case "made":
                name, arguments = content[0], decode(content[1], make)
                return make(name, arguments) if make else Made(name, tuple(arguments))
            case "ndarray" | "scalar":
                import numpy as np

                shape = content[1] if kind == "ndarray" else []
                array = np.frombuffer(decode(content[-1]), content[0]).reshape(shape)
                return array.copy() if kind == "ndarray" else array[()]
            case "other":
                return Other(str(content[0]), str(content[1]))
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"not a value: {error!r:.200}") from None
    raise ValueError(f"not a value: {kind!r:.50}")
