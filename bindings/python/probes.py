"""The cost ledger in plain Python: what each pattern costs when no border is crossed.

Shows:  the same checks as the native doors make, spelled out: int64 range, no str where a number is
        asked for.
Build:  nothing to build.
Bites:  Python code cannot release the GIL; it can only call something that does (`noop_nogil`).
"""

from __future__ import annotations

import math
import operator
import platform
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt


def about() -> dict[str, str]:
    """See bindings.protocol.Backend.about."""
    technology = f"{platform.python_implementation()} {platform.python_version()}"
    return {"technology": technology, "compiler": "none", "kernel": "Python", "isa": "bytecode"}


# ---- conversions ------------------------------------------------------------------------------


def _double(x: float) -> float:
    return math.ldexp(x, 0)  # takes what a C double parameter takes; float() would take "3" too


def _integer(x: int, bits: int = 64) -> int:
    x = operator.index(x)
    if not -(1 << bits - 1) <= x < 1 << bits - 1:
        raise OverflowError(f"{x} does not fit {bits} bits")
    return x


# ---- no argument ------------------------------------------------------------------------------


def noop() -> None:
    return None


def noop_nogil() -> None:
    time.sleep(0)


# ---- scalars ----------------------------------------------------------------------------------


def add_int(a: int, b: int, /) -> int:
    wrapped = (_integer(a) + _integer(b)) & (2**64 - 1)
    return wrapped - 2**64 if wrapped >= 2**63 else wrapped


def add_float(a: float, b: float, /) -> float:
    return _double(a) + _double(b)


def six_scalars(a: int, b: float, c: int, d: float, e: int, f: float, /) -> float:
    return _integer(a) + _double(b) + _integer(c) + _double(d) + _integer(e) + _double(f)


def keywords(x: float, *, scale: float = 1.0, offset: float = 0.0) -> float:
    return _double(x) * _double(scale) + _double(offset)


# ---- memory -----------------------------------------------------------------------------------


def str_in(text: str, /) -> int:
    return sum(str.encode(text))


def bytes_in(data: bytes, /) -> int:
    if not isinstance(data, bytes):
        raise TypeError(f"data must be bytes, not {type(data).__name__}")
    return sum(data)


def array_in(values: npt.NDArray[np.float64], /) -> float:
    if not isinstance(values, np.ndarray) or values.dtype != np.float64:
        raise TypeError("values must be a float64 array")
    if values.ndim != 1 or not values.flags.c_contiguous or not values.flags.aligned:
        raise ValueError("values must be 1-D, C-contiguous and aligned")
    return list_in(values.tolist())


def array_out(n: int, /) -> npt.NDArray[np.float64]:
    if _integer(n) < 0:
        raise ValueError(f"n must not be negative: {n}")
    out = np.empty(n)
    for i in range(n):
        out[i] = i
    return out


def list_in(values: list[float], /) -> float:
    if not isinstance(values, list):
        raise TypeError(f"values must be a list, not {type(values).__name__}")
    total = 0.0
    for value in values:
        total += _double(value)
    return total


# ---- calling back, and failing ----------------------------------------------------------------


def callback(function: Callable[[float], float], x: float, /) -> float:
    return _double(function(_double(x))) + 1.0


def error(code: int, /) -> None:
    if _integer(code, bits=32) != 0:
        raise ValueError(f"native call failed with code {code}")
