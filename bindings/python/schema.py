"""The schema buffer: the fields that a kernel decodes."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ffi_cookbook.bindings._glue.framing import Fault
from ffi_cookbook.bindings.errors import Code

KIND_BYTES, KIND_FLOAT, KIND_INT64 = MEMBERS = 1, 2, 3  # these are members of Feature's oneof
KIND_INT32, KIND_UINT16, KIND_SPANS = 4, 5, 6

RAGGED, DENSE, LIST, DENSE_LIST, STEPS = range(5)  # forms; the last three are of feature lists

FEATURES, FEATURE_LISTS = 1, 2


class SchemaField(NamedTuple):
    """One field of a schema; `length` is None when a Feature may have any number of values."""

    name: bytes
    kind: int
    form: int
    length: int | None

    @property
    def place(self) -> tuple[int, bytes]:
        """The place in a record: the field number of the map, and the key in it."""
        return (FEATURE_LISTS if self.form >= LIST else FEATURES), self.name

    @property
    def stores_bytes(self) -> bool:
        """True if the column has data, with offsets as its values."""
        return self.kind == KIND_BYTES and self.form != STEPS


def read_schema(schema: bytes, n_fields: int) -> list[SchemaField]:
    """Return the first `n_fields` of a schema buffer: 24 bytes each (ck_field), then the names."""
    room = len(schema) - 24 * n_fields  # for the names, which may not share bytes
    if room < 0:
        raise Fault(Code.ARGUMENT, 0)
    result = []
    for i in range(n_fields):
        offset, size, kind, form, length = struct.unpack_from("=iiiiq", schema, 24 * i)
        if not (
            offset >= 0
            and 0 <= size <= min(room, len(schema) - offset)
            and KIND_BYTES <= kind <= KIND_SPANS
            and RAGGED <= form <= STEPS
            and (form not in (DENSE, DENSE_LIST) or length >= 0)
        ):
            raise Fault(Code.ARGUMENT, 0)
        room -= size
        name = schema[offset : offset + size]
        dense = form in (DENSE, DENSE_LIST)
        result.append(SchemaField(name, kind, form, length if dense else None))
    return result
