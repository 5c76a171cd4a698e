"""The arguments of the records kernels whose tables tests share, overlap or change."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.records import Schema, encode_example, frame, index
from ffi_cookbook.records.columns.arena import Arena

SCHEMA = Schema({"x": "int64", "y": ("float32", 2), "z": "bytes"})
FILE = frame(encode_example({"x": [1, 2, 3], "y": [0.5, 1.5], "z": [b"abc"]})) * 4
SPANS = index(FILE, backend="python")
FIELDS = np.array([[0, 8, 4, 0, 0]], np.int64)

Memory = npt.NDArray[np.uint8]


def arguments(function: str) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """Return a function's memory by name, its other arguments, and the arrays that it fills."""
    arena = Arena(SCHEMA, 4, [(100, 100)] * 3)
    cursor = np.zeros(4, np.int64)
    tables = {
        "schema": np.frombuffer(SCHEMA.buffer, np.uint8),
        "arena": arena.memory,
        "columns": arena.table,
        "cursor": cursor,
    }
    memory: dict[str, Any] = {"buffer": np.frombuffer(FILE, np.uint8)}
    if function == "index_records":
        memory |= {"spans": np.zeros((4, 2), np.int64), "cursor": cursor}
        return memory, {}, ("spans", "cursor")
    if function == "decode_fixed":
        room = np.zeros(40, np.int64).view(np.uint8)
        memory |= {"fields": FIELDS, "arena": room, "cursor": cursor}
        return memory, {"record_size": 32, "max_records": 5}, ("arena", "cursor")
    if function == "gather_examples":
        return {**memory, **tables, "spans": SPANS}, {}, ("arena", "columns", "cursor")
    return {**memory, **tables}, {"max_records": 4}, ("arena", "columns", "cursor")
