"""The exception for record files."""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from ffi_cookbook.bindings.errors.code import Code

ARGUMENTS = ("buffer", "spans", "schema", "fields", "arena", "columns", "cursor")
"""The arguments that are memory, in the order that `Code.OVERLAP` numbers them."""

_KINDS = {1: "bytes", 2: "float32", 3: "int64"}

_RECORD_MESSAGES = {
    Code.TRUNCATED_HEADER: "the file ends inside a record header ({actual} of {expected} bytes)",
    Code.LENGTH_CRC: "the length's CRC is wrong (stored {expected:#010x}, computed {actual:#010x})",
    Code.LENGTH_LIMIT: "the record claims {actual} bytes, more than any record can have",
    Code.TRUNCATED_DATA: "the file ends inside a record ({actual} of {expected} data bytes)",
    Code.TRUNCATED_FOOTER: "the file ends inside a record's CRC ({actual} of {expected} bytes)",
    Code.DATA_CRC: "the data's CRC is wrong (stored {expected:#010x}, computed {actual:#010x})",
    Code.WIRE_TYPE: "a protobuf tag has a wire type or field number that cannot be here",
    Code.VARINT: "a protobuf varint is too long or runs past the end of its message",
    Code.SUBMESSAGE_LENGTH: "a length-delimited field claims {actual} bytes, {expected} are left",
    Code.FLOAT_LENGTH: "a packed float list has {actual} bytes, not a multiple of 4",
    Code.TYPE_MISMATCH: "the feature is {actual_kind}, the schema says {expected_kind}",
    Code.MISSING: "the feature is missing, the schema gives it {expected} values",
    Code.DENSE_LENGTH: "the feature has {actual} values, the schema says {expected}",
    Code.CAPACITY: "the column has room for {actual} values, {expected} are needed",
    Code.DATA_CAPACITY: "the column has room for {actual} bytes, {expected} are needed",
    Code.RANGE: "the value {actual} is beyond {expected}, the limit of the column's type",
    Code.STALE_INDEX: "the index says {expected} bytes, the record has {actual}",
    Code.FIXED_REMAINDER: "the last record has {actual} of {expected} bytes",
    Code.COMPRESSION: "the compressed stream is damaged, nothing after this byte can be read",
}


_MESSAGE = re.compile(
    r"^(?:.*RecordError: )?(?P<path>.*): record (?P<record>\d+) at byte (?P<offset>-?\d+)"
    r"(?:, feature (?P<field>'.*'|\".*\"))?: .* \[(?P<code>[A-Z_0-9]+)\]$",
    re.MULTILINE,
)


class RecordError(ValueError):
    """A record file that cannot be decoded: what is wrong, and where.

    Attributes:
        code: the kind of fault.
        path: the file, or None when decoding from memory.
        byte_offset: offset in the file of the failing element: the record's header for a fault of
            the header, its data for a fault of the data, the tag or varint for a protobuf fault.
        record: number of the record in the file, from 0.
        field: name of the feature concerned, or None.
        expected, actual: the two values that should have agreed, as `code` defines them.

    The first argument may also be a message alone, as when torch raises a worker's exception again
    from its text. The attributes are then parsed from that text.
    """

    def __init__(
        self,
        code: int | str,
        path: str | None = None,
        byte_offset: int = 0,
        record: int = 0,
        field: str | None = None,
        expected: int = 0,
        actual: int = 0,
    ) -> None:
        message = None
        if isinstance(code, str):
            message = code
            match = _MESSAGE.search(message)
            code = Code[match["code"]] if match else Code.ARGUMENT
            if match:
                path = None if match["path"] == "<buffer>" else match["path"]
                byte_offset, record = int(match["offset"]), int(match["record"])
                field = ast.literal_eval(match["field"]) if match["field"] else None
        self.code = Code(code)
        self.path = path
        self.byte_offset = byte_offset
        self.record = record
        self.field = field
        self.expected = expected
        self.actual = actual
        self._made = message is None
        super().__init__(self._message() if message is None else message)

    def _message(self) -> str:
        what = _RECORD_MESSAGES[self.code].format(
            expected=self.expected,
            actual=self.actual,
            expected_kind=_KINDS.get(self.expected, self.expected),
            actual_kind=_KINDS.get(self.actual, self.actual),
        )
        where = f"record {self.record} at byte {self.byte_offset}"
        if self.field is not None:
            where += f", feature {self.field!r}"
        return f"{self.path or '<buffer>'}: {where}: {what} [{self.code.name}]"

    def __reduce__(self) -> tuple[type[RecordError], tuple[Any, ...]]:
        fields = (self.path, self.byte_offset, self.record, self.field, self.expected, self.actual)
        return type(self), (self.code, *fields) if self._made else (str(self),)


def record_error(error: Sequence[int], schema: Any = None) -> Exception:
    """Return the exception for a failed records kernel.

    Args:
        error: the six integers of a `ck_error`.
        schema: the schema buffer that was passed to the kernel, None for `index_records` and
            `decode_fixed`.
    """
    code, offset, record, field, expected, actual = error
    if code == Code.ARGUMENT:
        return ValueError("schema, columns, fields, cursor and arena contradict each other")
    if code == Code.OVERLAP:
        return ValueError(f"{ARGUMENTS[expected]} and {ARGUMENTS[actual]} must not overlap")
    if code == Code.MEMORY:
        return MemoryError("no memory for a copy of the schema, the columns or the fields")
    return RecordError(code, None, offset, record, _field_name(schema, field), expected, actual)


def _field_name(schema: Any, field: int) -> str | None:
    if field < 0:
        return None
    table = np.frombuffer(schema, np.uint8).tobytes()
    offset, size = struct.unpack_from("<ii", table, 24 * field)  # the first members of a ck_field
    return table[offset : offset + size].decode("utf-8", "replace")
