"""Where a reader stands."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import NamedTuple


class Position(NamedTuple):
    """Where reading stands: the whole state that is needed to go on."""

    shard: int = 0  # which of the files
    byte_offset: int = 0  # in the (decompressed) file
    record: int = 0  # its number in the file


START = Position()


def checked_start(start: Iterable[int], n_files: int) -> Position:
    """Return `start` as a Position.

    Raises:
        ValueError: there is not such a place in `n_files` files.
    """
    begin = Position(*map(operator.index, start))
    if min(begin) < 0 or max(begin) >= 2**63 or begin.shard > max(n_files - 1, 0):
        raise ValueError(f"{begin} is nowhere in {n_files} files")
    return begin
