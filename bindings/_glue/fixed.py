"""The parts of an arena, and the leaves of a record of fixed size that fill its columns."""

from __future__ import annotations

from typing import NamedTuple

from ffi_cookbook.bindings._glue.framing import Fault
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array


class Parts:
    """The parts of an arena that are taken one after the other, so that no two share bytes."""

    def __init__(self, arena: Uint8Array) -> None:
        if arena.size and arena.ctypes.data % 8 != 0:
            raise Fault(Code.ARGUMENT, 0)
        self.memory, self._taken = arena.reshape(-1).data, 0

    def take(self, offset: int, size: int) -> None:
        """Raise Fault unless `size` bytes at `offset` lie in the arena, 8-byte aligned."""
        if offset % 8 != 0 or offset < self._taken or size < 0:
            raise Fault(Code.ARGUMENT, 0)
        self._taken = offset + size
        if self._taken > len(self.memory):
            raise Fault(Code.ARGUMENT, 0)


class Leaf(NamedTuple):
    """A scalar of a record, or an array of them: a `ck_fixed_field`."""

    offset: int  # in the record
    unit: int  # bytes of a scalar
    units: int  # the number of scalars
    swap: int  # 1 if their bytes are reversed
    column: int  # offset of the column in the arena


def read_leaves(
    fields: Int64Array, record_size: int, arena: Uint8Array, max_records: int
) -> list[Leaf]:
    """Return the leaves, checked to lie in the record, and their columns in the arena."""
    leaves = [Leaf(*row) for row in fields.tolist()]
    parts = Parts(arena)
    if record_size < 1:
        raise Fault(Code.ARGUMENT, 0)
    for leaf in leaves:
        within = min(leaf.offset, leaf.units) >= 0
        if not within or leaf.offset + leaf.unit * leaf.units > record_size:
            raise Fault(Code.ARGUMENT, 0)
        if leaf.unit not in (1, 2, 4, 8):
            raise Fault(Code.ARGUMENT, 0)
        parts.take(leaf.column, leaf.unit * leaf.units * max_records)
    return leaves
