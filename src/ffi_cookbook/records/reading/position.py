"""The position of a reader."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import NamedTuple


class Position(NamedTuple):
    """The position of a reader: the whole state that it needs to continue."""

    shard: int = 0  # the number of the file
    byte_offset: int = 0  # in the (decompressed) file
    record: int = 0  # the number of the next record in the file


START = Position()


def checked_start(start: Iterable[int], n_files: int) -> Position:
    """Return `start` as a Position.

    Raises:
        ValueError: there is no such place in `n_files` files.
    """
    begin = Position(*map(operator.index, start))
    if min(begin) < 0 or max(begin) >= 2**62 or begin.shard > max(n_files - 1, 0):
        raise ValueError(f"{begin} is nowhere in {n_files} files")
    return begin
