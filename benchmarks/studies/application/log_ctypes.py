"""Through ctypes: one call, then Python groups."""

from __future__ import annotations

import ctypes
from array import array
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64
from pathlib import Path

from benchmarks.studies.application.grouping import WRONG, grouped, outputs

_lib = ctypes.CDLL(str(Path(__file__).with_name("flat.so")))
_split = _lib.split_lines
_split.argtypes = (c_char_p, c_int64, POINTER(c_int64), POINTER(c_double), POINTER(c_int32))
_split.restype = c_int64


def parse(lines: list[str], weights: dict[str, float]) -> dict[str, array[float]]:
    """Return the weighted durations of each service."""
    text, code = "\n".join(lines).encode(), c_int32()
    spans, durations = outputs(len(lines))
    at = spans.ctypes.data_as(POINTER(c_int64)), durations.ctypes.data_as(POINTER(c_double))
    if wrong := _split(text, len(lines), *at, byref(code)):
        grouped(text, spans[: wrong - 1], durations[: wrong - 1], weights)  # a level before it
        raise ValueError(f"line {wrong}: {WRONG[code.value]}")
    return grouped(text, spans, durations, weights)
