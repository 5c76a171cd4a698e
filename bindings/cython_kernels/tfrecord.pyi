from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol.arrays import Buffer, Int64Array, Uint8Array

def decode(
    data: Buffer,
    schema: Buffer,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    max_records: int,
    verify: bool,
    final: bool,
) -> tuple[Code, int, int, int, int] | None: ...  # code, offset, expected, actual, field
