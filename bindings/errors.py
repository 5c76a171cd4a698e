"""The exceptions every door raises alike.

A kernel reports a failure as six integers (`code, offset, record, field, expected, actual`, the
`ck_error` of c_src/cookbook.h). A door hands them to `record_error` or `tokenizer_error` and raises
what comes back; nothing else in a door decides what a failure is called or says.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Sequence
from typing import Any


class Code(enum.IntEnum):
    """What went wrong: the `ck_code` of c_src/cookbook.h."""

    TRUNCATED_HEADER = 1
    LENGTH_CRC = 2
    LENGTH_LIMIT = 3
    TRUNCATED_DATA = 4
    TRUNCATED_FOOTER = 5
    DATA_CRC = 6
    WIRE_TYPE = 7
    VARINT = 8
    SUBMESSAGE_LENGTH = 9
    FLOAT_LENGTH = 10
    TYPE_MISMATCH = 11
    MISSING = 12
    DENSE_LENGTH = 13
    CAPACITY = 14
    DATA_CAPACITY = 15
    FIXED_REMAINDER = 16
    UTF8 = 17
    SPECIAL = 18
    UNKNOWN_ID = 19
    ARGUMENT = 20


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
    Code.FIXED_REMAINDER: "the last record has {actual} of {expected} bytes",
}


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
    """

    def __init__(
        self,
        code: int,
        path: str | None,
        byte_offset: int,
        record: int,
        field: str | None,
        expected: int = 0,
        actual: int = 0,
    ) -> None:
        self.code = Code(code)
        self.path = path
        self.byte_offset = byte_offset
        self.record = record
        self.field = field
        self.expected = expected
        self.actual = actual
        super().__init__(self._message())

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
        return type(self), (self.code, *fields)


_TOKENIZER_MESSAGES = {
    Code.CAPACITY: "out has room for {actual} ids, {expected} are needed",
    Code.UTF8: "the text is not UTF-8 at byte {byte_offset}",
    Code.SPECIAL: "the text holds the special token {token!r} at byte {byte_offset}; "
    "put it in allowed_special to encode it as one token, or pass disallowed_special=() "
    "to treat it as plain text",
    Code.UNKNOWN_ID: "the id {actual} at position {index} is not in the vocabulary",
}


class TokenizerError(ValueError):
    """Text or ids that a tokenizer cannot take.

    Attributes:
        code: the kind of fault.
        byte_offset: offset of the failing element in the text's UTF-8 bytes.
        index: number of the text in a batch, or position of the id when decoding.
        token: the special token concerned, or None.
        expected, actual: the two values that should have agreed, as `code` defines them.
    """

    def __init__(
        self,
        code: int,
        byte_offset: int = 0,
        index: int = 0,
        token: str | None = None,
        expected: int = 0,
        actual: int = 0,
    ) -> None:
        self.code = Code(code)
        self.byte_offset = byte_offset
        self.index = index
        self.token = token
        self.expected = expected
        self.actual = actual
        message = _TOKENIZER_MESSAGES[self.code].format(**vars(self))
        super().__init__(f"{message} [{self.code.name}]")

    def __reduce__(self) -> tuple[type[TokenizerError], tuple[Any, ...]]:
        fields = (self.byte_offset, self.index, self.token, self.expected, self.actual)
        return type(self), (self.code, *fields)


def record_error(error: Sequence[int], schema: Any = None) -> Exception:
    """The exception for a failed records kernel: the six integers of a `ck_error`, and the schema
    buffer the kernel was given (None for `index_records` and `decode_fixed`)."""
    code, offset, record, field, expected, actual = error
    if code == Code.ARGUMENT:
        return ValueError("schema, columns, fields, cursor and arena contradict each other")
    return RecordError(code, None, offset, record, _field_name(schema, field), expected, actual)


def tokenizer_error(error: Sequence[int], specials: Sequence[str] = ()) -> Exception:
    """The exception for a failed tokenizer kernel: the six integers of a `ck_error`, and the names
    of the model's special tokens (`Model.special_names`)."""
    code, offset, index, special, expected, actual = error
    if code == Code.ARGUMENT:
        return ValueError("not a tokenizer model, or offsets that contradict each other")
    token = specials[special] if 0 <= special < len(specials) else None
    return TokenizerError(code, offset, index, token, expected, actual)


def _field_name(schema: Any, field: int) -> str | None:
    if field < 0:
        return None
    offset, size = struct.unpack_from("<ii", schema, 24 * field)  # the head of a ck_field
    return bytes(memoryview(schema)[offset : offset + size]).decode("utf-8", "replace")
