"""Whole and damaged records, indexed, decoded and gathered."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from ffi_cookbook.records.columns.arena import Arena
from support.shared_work import FIELDS, RECORDS, SCHEMA, SPANS

from .call import Call, failing


def damaged() -> bytearray:
    data = bytearray(RECORDS)
    data[-1] ^= 1
    return data


def index_records(backend: ModuleType) -> Iterator[Call]:
    def indexing(fails: bool, buffer: Any, spans: Any) -> Call:
        cursor = np.zeros(4, np.int64)
        return Call(
            backend.index_records, (buffer, spans, cursor), {}, fails, lambda: cursor.fill(0)
        )

    spans = np.zeros((9, 2), np.int64)
    yield indexing(False, bytes(bytearray(RECORDS)), spans)
    yield indexing(False, bytearray(RECORDS), spans)
    yield indexing(True, damaged(), spans)
    yield indexing(True, str(RECORDS), spans)
    yield indexing(True, bytearray(RECORDS), spans.T)
    yield failing(backend.index_records, bytearray(RECORDS), spans, np.zeros(5, np.int64))


def decode_fixed(backend: ModuleType) -> Iterator[Call]:
    def decoding(fails: bool, buffer: Any, size: Any = 5, fields: Any = FIELDS) -> Call:
        cursor, arena = np.zeros(4, np.int64), np.zeros(1024, np.uint8)
        arguments = (buffer, size, fields, arena, cursor, 60)
        return Call(backend.decode_fixed, arguments, {}, fails, lambda: cursor.fill(0))

    data = bytearray(range(250))
    yield decoding(False, data)
    yield decoding(True, data[:-1])
    yield decoding(True, data, 3)
    yield decoding(True, data, 2**70)
    yield decoding(True, data, 5, FIELDS.tolist())


def decode_examples(backend: ModuleType) -> Iterator[Call]:
    def decoding(fails: bool, buffer: Any, room: int = 64, **changes: Any) -> Call:
        arena, cursor = Arena(SCHEMA, 9, [(room, room)] * 3), np.zeros(4, np.int64)
        arguments = {
            "schema": bytearray(SCHEMA.buffer),
            "arena": arena.memory,
            "columns": arena.table,
            "cursor": cursor,
            "max_records": 9,
            **changes,
        }
        again = lambda: cursor.fill(0)  # noqa: E731
        return Call(backend.decode_examples, (buffer, *arguments.values()), {}, fails, again)

    yield decoding(False, bytearray(RECORDS))
    yield decoding(True, damaged())
    yield decoding(True, bytearray(RECORDS), 2)
    yield decoding(True, str(RECORDS))
    yield decoding(True, bytearray(RECORDS), schema=bytearray(7))
    yield decoding(True, bytearray(RECORDS), arena=None)
    yield decoding(True, bytearray(RECORDS), columns=np.zeros((3, 9), np.int64))
    yield decoding(True, bytearray(RECORDS), cursor=np.full(4, -1))
    yield decoding(True, bytearray(RECORDS), max_records="9")


def gather_examples(backend: ModuleType) -> Iterator[Call]:
    def gathering(fails: bool, buffer: Any, spans: Any, room: int = 64) -> Call:
        arena, cursor = Arena(SCHEMA, 9, [(room, room)] * 3), np.zeros(4, np.int64)
        tables = arena.memory, arena.table, cursor
        arguments = (buffer, spans, bytearray(SCHEMA.buffer), *tables)
        return Call(backend.gather_examples, arguments, {}, fails, lambda: cursor.fill(0))

    yield gathering(False, bytearray(RECORDS), SPANS.copy())
    yield gathering(True, damaged(), SPANS.copy())
    yield gathering(True, bytearray(RECORDS), SPANS + 1)
    yield gathering(True, bytearray(RECORDS), SPANS.T)
    yield gathering(True, bytearray(RECORDS), SPANS.tolist())
    yield gathering(True, bytearray(RECORDS), SPANS.copy(), room=2)
