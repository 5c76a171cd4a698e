"""Fixed layouts: the leaves of a record, each a scalar or an array of them, go to their columns."""

from __future__ import annotations

from dataclasses import dataclass

from ffi_cookbook.bindings._glue.framing import Fault
from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array
from ffi_cookbook.bindings.python.arena import Parts


@dataclass(frozen=True)
class Leaf:
    """A `ck_fixed_field`."""

    offset: int  # in the record
    unit: int  # bytes of a scalar
    count: int  # scalars
    swap: int  # 1 if their bytes are reversed
    column: int  # offset of the column in the arena

    def copy(self, view: memoryview, position: int, memory: memoryview, row: int) -> None:
        """Copy the scalars of the record at `position` to row `row`."""
        for u in range(self.count):
            start = position + self.offset + u * self.unit
            scalar = bytes(view[start : start + self.unit])
            at = self.column + (row * self.count + u) * self.unit
            memory[at : at + self.unit] = scalar[::-1] if self.swap else scalar


def read_leaves(
    fields: Int64Array, record_size: int, arena: Uint8Array, max_records: int
) -> list[Leaf]:
    """Return the leaves, checked to lie in the record, and their columns in the arena."""
    leaves = [Leaf(*row) for row in fields.tolist()]
    parts = Parts(arena)
    if record_size < 1:
        raise Fault(Code.ARGUMENT, 0)
    for leaf in leaves:
        within = min(leaf.offset, leaf.count) >= 0
        if not within or leaf.offset + leaf.unit * leaf.count > record_size:
            raise Fault(Code.ARGUMENT, 0)
        if leaf.unit not in (1, 2, 4, 8):
            raise Fault(Code.ARGUMENT, 0)
        parts.take(leaf.column, leaf.unit * leaf.count * max_records)
    return leaves
