"""Where a reader stands."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """Where reading stands: the whole state that is needed to go on."""

    shard: int = 0  # which of the files
    byte_offset: int = 0  # in the (decompressed) file
    record: int = 0  # its number in the file


START = Position()
