"""The numbers of the records in batches, from the column "number", and a file with a bad one."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

from ffi_cookbook import records


def numbers(batches: Any) -> list[list[int]]:
    """Return the numbers of each batch."""
    return [batch["number"].tolist() for batch in batches]


def flat(lists: Any) -> list[Any]:
    """Return the items of all lists as one."""
    return list(chain.from_iterable(lists))


def damage(path: Path, number: int) -> None:
    """Change a bit of a record of the file."""
    data = bytearray(path.read_bytes())
    data[int(records.index(data)[number, 0])] ^= 1
    path.write_bytes(data)
