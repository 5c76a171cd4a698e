"""Buffers that a call borrows are released after it, whether it succeeds or fails."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.records.columns.arena import Arena
from support.shared_work import FIELDS, RECORDS, SCHEMA, SPANS, TEXT, small_model

Changes = dict[str, Any]


def index(backend: ModuleType, buffer: bytearray, **changes: Any) -> None:
    given: Changes = {"spans": np.zeros((9, 2), np.int64), "cursor": np.zeros(4, np.int64)}
    backend.index_records(buffer, **{**given, **changes})


def examples(backend: ModuleType, buffer: bytearray, **changes: Any) -> None:
    arena = Arena(SCHEMA, 9, [(64, 64)] * 3)
    given: Changes = {
        "schema": SCHEMA.buffer,
        "arena": arena.memory,
        "columns": arena.table,
        "cursor": np.zeros(4, np.int64),
        "max_records": 9,
    }
    backend.decode_examples(buffer, **{**given, **changes})


def gathered(backend: ModuleType, buffer: bytearray, **changes: Any) -> None:
    arena = Arena(SCHEMA, 9, [(64, 64)] * 3)
    given: Changes = {
        "spans": SPANS,
        "schema": SCHEMA.buffer,
        "arena": arena.memory,
        "columns": arena.table,
        "cursor": np.zeros(4, np.int64),
    }
    backend.gather_examples(buffer, **{**given, **changes})


def fixed(backend: ModuleType, buffer: bytearray, **changes: Any) -> None:
    given: Changes = {
        "record_size": 5,
        "fields": FIELDS,
        "arena": np.zeros(1024, np.uint8),
        "cursor": np.zeros(4, np.int64),
        "max_records": 60,
    }
    backend.decode_fixed(buffer, **{**given, **changes})


def encode_into(backend: ModuleType, buffer: bytearray, **changes: Any) -> None:
    given: Changes = {"out": np.zeros(len(buffer), np.uint32)}
    backend.Tokenizer(small_model()).encode_into(buffer, *{**given, **changes}.values())


def check_released(fails: bool, buffer: bytearray, call: Callable[[], None]) -> None:
    """Check that a bytearray can grow after a call, without a garbage collection."""
    failed = False
    try:
        call()
    except (TypeError, ValueError, OverflowError):
        failed = True
        buffer.append(0)  # here, while the exception and its traceback are alive
    assert failed == fails
    buffer.append(0)


DAMAGED = RECORDS[:-1] + bytes([RECORDS[-1] ^ 1])
FIXED = bytes(range(250))


@pytest.mark.part("matmul")
@pytest.mark.parametrize(
    ("function", "data", "changes"),
    [
        (index, RECORDS, {}),
        (index, DAMAGED, {}),
        (index, RECORDS, {"spans": None}),
        (index, RECORDS, {"cursor": np.zeros(5, np.int64)}),
        (fixed, FIXED, {}),
        (fixed, FIXED[:-1], {}),
        (fixed, FIXED, {"record_size": 2**70}),
        (fixed, FIXED, {"record_size": 3}),
        (fixed, FIXED, {"fields": None}),
        (fixed, FIXED, {"max_records": "60"}),
    ],
)
def test_buffers_are_released(
    backend: ModuleType, function: Callable[..., None], data: bytes, changes: Changes
) -> None:
    buffer, fails = bytearray(data), bool(changes) or data in (DAMAGED, FIXED[:-1])
    check_released(fails, buffer, lambda: function(backend, buffer, **changes))


@pytest.mark.part("Tokenizer")
@pytest.mark.parametrize(
    ("function", "data", "changes"),
    [
        (examples, RECORDS, {}),
        (examples, DAMAGED, {}),
        (examples, RECORDS, {"schema": b""}),
        (examples, RECORDS, {"arena": None}),
        (examples, RECORDS, {"cursor": np.full(4, -1)}),
        (examples, RECORDS, {"max_records": 2**70}),
        (gathered, RECORDS, {}),
        (gathered, DAMAGED, {}),
        (gathered, RECORDS, {"spans": None}),
        (gathered, RECORDS, {"spans": SPANS + 1}),
        (gathered, RECORDS, {"arena": None}),
        (gathered, RECORDS, {"cursor": np.full(4, -1)}),
        (encode_into, TEXT.encode(), {}),
        (encode_into, TEXT.encode() + b"\xff", {}),
        (encode_into, TEXT.encode(), {"out": np.zeros(3, np.uint32)}),
        (encode_into, TEXT.encode(), {"out": np.zeros(99, np.int32)}),
    ],
)
def test_buffers_of_schemas_and_texts_are_released(
    backend: ModuleType, function: Callable[..., None], data: bytes, changes: Changes
) -> None:
    buffer, fails = bytearray(data), bool(changes) or data not in (RECORDS, TEXT.encode())
    check_released(fails, buffer, lambda: function(backend, buffer, **changes))


@pytest.mark.part("decode_examples")
def test_the_schema_is_released(backend: ModuleType) -> None:
    for data, fails in ((RECORDS, False), (DAMAGED, True)):
        schema = bytearray(SCHEMA.buffer)
        call = lambda: examples(backend, bytearray(data), schema=schema)  # noqa: B023, E731
        check_released(fails, schema, call)
