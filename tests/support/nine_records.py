"""Nine records with every kind of feature: as Python values, and as the file that holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ffi_cookbook import records

SCHEMA = records.Schema(
    {
        "label": ("int64", 1),
        "ids": "int64",
        "pixels": ("float32", 3),
        "weights": "float32",
        "tags": "bytes",
        "pair": ("bytes", 2),
    }
)
ROWS: list[dict[str, Any]] = [
    {
        "label": i,
        "ids": list(range(-i, i)),
        "pixels": [i, 0.5, -0.25 * i],
        "weights": [0.5] * (i % 3),
        "tags": [b"x" * i, "é"][: i % 3],
        "pair": [b"", bytes([i])],
    }
    for i in range(9)
]


def file_of(rows: list[dict[str, Any]]) -> bytes:
    """Return the file that holds these records."""
    return b"".join(records.frame(records.encode_example(row)) for row in rows)


FILE = file_of(ROWS)
STARTS = [start - 12 for start, _ in records.index(FILE, backend="python").tolist()]


def plain(batches: Any) -> list[dict[str, Any]]:
    """Return batches as rows of lists, the form that ROWS has after a round trip."""
    rows = []
    for batch in batches:
        columns = {
            name: column.tolist() if isinstance(column, np.ndarray) else column.to_list()
            for name, column in batch.items()
        }
        rows += [{name: columns[name][i] for name in batch} for i in range(len(batch))]
    return rows


def damaged(*flips: int) -> bytes:
    """Return the file with a flipped bit in each of these bytes."""
    file = bytearray(FILE)
    for flip in flips:
        file[flip] ^= 0x10
    return bytes(file)


def as_read(row: dict[str, Any]) -> dict[str, Any]:
    tags = [tag.encode() if isinstance(tag, str) else tag for tag in row["tags"]]
    return {**row, "label": [row["label"]], "tags": tags}


EXPECTED = [as_read(row) for row in ROWS]
