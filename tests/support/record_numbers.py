"""The numbers of the records in batches, from the column "number"."""

from __future__ import annotations

from itertools import chain
from typing import Any


def numbers(batches: Any) -> list[list[int]]:
    """Return the numbers of each batch."""
    return [batch["number"].tolist() for batch in batches]


def flat(lists: Any) -> list[Any]:
    """Return the items of all lists as one."""
    return list(chain.from_iterable(lists))
