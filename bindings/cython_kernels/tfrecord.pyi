from ffi_cookbook.bindings.errors import Code
from ffi_cookbook.bindings.protocol.arrays import Buffer, Int64Array, Uint8Array

Found = tuple[Code, int, int, int, int]  # code, offset, expected, actual, field

def crc32c(data: Buffer, before: int = 0) -> int: ...
def find_header(data: Buffer, start: int, stop: int) -> int: ...
def index(
    data: Buffer, spans: Int64Array, cursor: Int64Array, verify: bool, final: bool
) -> Found | None: ...
def decode(
    data: Buffer,
    schema: Buffer,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    max_records: int,
    verify: bool,
    final: bool,
    spans: Int64Array | None = None,
) -> Found | None: ...
def decode_fixed(
    data: Buffer,
    record_size: int,
    leaves: Int64Array,
    arena: Uint8Array,
    cursor: Int64Array,
    max_records: int,
) -> None: ...
