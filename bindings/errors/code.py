"""The codes by which every kernel reports a failure."""

from __future__ import annotations

import enum


class Code(enum.IntEnum):
    """The kind of a failure: the `ck_code` of c_src/cookbook.h."""

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
    RANGE = 21
    STALE_INDEX = 22
    COMPRESSION = 24
    OVERLAP = 25
    MEMORY = 26
    DTYPE = 27
    DIMENSIONS = 28
    INNER_SIZE = 29
    BATCH_SIZE = 30
    SHAPE = 31
    LAYOUT = 32
    THREADS = 33
    INTERRUPTED = 34


class PatternError(ValueError):
    """A failure with fields that native code fills in: the code and the byte offset."""

    def __init__(self, code: int, offset: int) -> None:
        super().__init__(code, offset)
        self.code = code
        self.offset = offset

    def __str__(self) -> str:
        return f"failed with code {self.code} at byte {self.offset}"
