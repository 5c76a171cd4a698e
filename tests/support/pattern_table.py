"""The patterns: the kinds of the arguments of each, with operands that it takes or refuses.

Point, Counter, countdown and keywords are called in ways of their own, and are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

SIGNATURES = {
    "noop": "",
    "noop_nogil": "",
    "int_in": "i",
    "int_out": "",
    "invert": "b",
    "add_int": "ii",
    "add_float": "ff",
    "six_scalars": "ififif",
    "str_in": "s",
    "str_out": "",
    "bytes_in": "d",
    "bytes_out": "",
    "bytes_map": "d",
    "buffer_in": "u",
    "array_in": "a",
    "array_in_nogil": "a",
    "strided_in": "v",
    "array_out": "n",
    "array_map": "a",
    "array_inplace": "af",
    "dlpack_in": "t",
    "list_in": "l",
    "list_out": "n",
    "strings_in": "L",
    "dict_in": "w",
    "tuple_out": "ii",
    "struct_in": "p",
    "struct_out": "ff",
    "callback": "cf",
    "error": "e",
    "error_fields": "ei",
    "interruptible": "r",
    "score": "sif",
    "scaled": "af",
}
"""By pattern, a letter for each argument: see `good`."""

CHOICES = 8
SIZES = (0, 0, 1, 2, 9, 200, 3, 40)
INTEGERS = (0, 1, -1, 5, 2**40, -(2**61), 2**61, 7)


class Oops(Exception):
    """An exception that no binding knows."""


def double(x: float) -> float:
    return x * 2


def raising(x: float) -> float:
    raise Oops(x)


def good(letter: str, i: int, patterns: Any) -> Any:
    """Return a new operand, one of eight, that every pattern with this letter takes."""
    size, text = SIZES[i], "wörld" * i
    operands: dict[str, Any] = {
        "i": int(str(INTEGERS[i])),  # an integer; a new object, since a constant may be immortal
        "f": float(i) - 1.5,  # a float
        "b": i % 2 == 0,  # a bool
        "s": text,  # a str
        "d": text.encode(),  # bytes
        "u": bytearray(text, "utf-8"),  # a buffer
        "a": np.arange(float(size)),  # an array
        "v": np.arange(2.0 * size)[::-2],  # an array of any stride
        "t": np.arange(float(size)),  # a tensor
        "n": size,  # the number of items
        "r": size,  # the number of rounds
        "l": [x / 2 for x in range(size)],  # a list of floats
        "L": [f"wörld {x}" for x in range(size)],  # a list of str
        "w": {f"wörld {x}": x / 2 for x in range(size)},  # a dict of weights
        "c": double,  # a callable
        "p": patterns.Point(1.5, i),
        "e": 0,  # the code of an error; 0 is none
    }
    return operands[letter]


def bad(letter: str) -> list[Any]:
    """Return operands that every pattern with this letter refuses."""
    text, values, big = "wörld" * 9, np.arange(50.0), int("1" * 15)
    buffer = text.encode()
    operands: dict[str, list[Any]] = {
        "i": [big**5, 1.25],
        "f": [text],
        "b": [big],
        "s": [f"{text}\ud800", buffer],
        "d": [text],
        "u": [memoryview(buffer)[::2], text],
        "a": [values[::2], values.astype(np.float32), values.tolist()],
        "v": [values.reshape(5, 10)],
        "t": [values[::2], values.astype(np.float32), values.tolist()],
        "n": [-big, text],
        "r": [-big],
        "l": [[0.5, text], tuple("text")],
        "L": [[text, f"\ud800{text}"], [text, 0.5]],
        "w": [{"a": 0.5, "b": text}, {0.5: 0.5}],
        "c": [raising, lambda x: "text", lambda: 0.5, text],
        "p": [(0.5, 0.5)],
        "e": [1234, big],
    }
    return operands[letter]
