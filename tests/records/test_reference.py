"""Every records kernel agrees with the python binding on damaged, truncated and large records."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.records import frame
from ffi_cookbook.records.columns.arena import Arena
from ffi_cookbook.wire import header
from support import wire
from support.backends import binding
from support.lazy_proto import assert_as_protobuf
from support.record_kernels import (
    DAMAGE,
    FILE,
    NARROW,
    OTHERS,
    RANDOM,
    SEQUENCES,
    SMALL,
    assert_same,
    damaged,
    decode,
    same_everywhere,
)

pytestmark = pytest.mark.part("decode_examples", kernels=True)


@pytest.mark.parametrize("final", [True, False])
def test_cut_at_every_byte(final: bool) -> None:
    for size in range(len(FILE) + 1):
        error, cursor, _ = same_everywhere(FILE[:size], SMALL, final=final)
        whole = size == cursor[1]
        assert (error is None) == (whole or not final)


@pytest.mark.parametrize("verify", [True, False])
def test_every_byte_damaged(verify: bool) -> None:
    rng = random.Random(3)
    for at in range(len(FILE)):
        for mask in (0xFF, 0x80, 1 << rng.randrange(8)):
            file = bytearray(FILE)
            file[at] ^= mask
            error, _, _ = same_everywhere(bytes(file), SMALL, verify=verify)
            assert error is not None or not verify


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), DAMAGE)
@pytest.mark.parametrize(
    ("make", "schemas"),
    [(wire.example, (RANDOM, NARROW, OTHERS)), (wire.sequence_example, SEQUENCES)],
    ids=["examples", "sequences"],
)
def test_damaged(make: Any, schemas: Any, rng: random.Random, damage: list[Any]) -> None:
    record = damaged(make(rng), damage, rng)
    for schema in schemas:
        error, _, _ = same_everywhere(frame(record), schema)
        assert_as_protobuf(record, schema, error)


@pytest.mark.parametrize(
    "size", [0, 1, 11, 2**31, 2**62, 2**63 - 17, 2**63 - 16, 2**63, 2**64 - 16, 2**64 - 1]
)
@pytest.mark.parametrize("final", [True, False])
def test_hostile_lengths(size: int, final: bool) -> None:
    error, cursor, _ = same_everywhere(header(size) + b"12345678", SMALL, final=final)
    assert cursor == [0, 0, 0, 0]
    assert error is not None or not final


@pytest.mark.part("decode_examples")
def test_no_room(backend: ModuleType) -> None:
    """CAPACITY reports the room needed, and the next call continues where this one stopped."""
    for room in [(0, 1000), (2, 1000), (100, 0), (100, 3), (4, 2)]:
        error, cursor, _ = decode(backend, FILE, SMALL, room=room)
        assert (error, cursor) == decode(binding("python"), FILE, SMALL, room=room)[:2]
        assert error[0] in (14, 15)
        assert error[4] > error[5]


@pytest.mark.part("decode_examples")
def test_stops_at_max_records_and_continues(backend: ModuleType) -> None:
    arena = Arena(SMALL, 2, [(100, 100)] * 4)
    cursor = np.zeros(4, np.int64)
    call = (FILE, SMALL.buffer, arena.memory, arena.table, cursor, 2)
    assert backend.decode_examples(*call) == 2
    assert cursor[2:].tolist() == [2, 2]
    cursor[3] = 0
    assert backend.decode_examples(*call) == 1
    assert cursor.tolist() == [0, len(FILE), 3, 1]
    assert arena.batch(1)["i"].to_list() == [[2**40]]


@pytest.mark.part("decode_examples")
def test_any_buffer(backend: ModuleType) -> None:
    expected = decode(binding("python"), FILE, SMALL)
    array = np.frombuffer(FILE, np.uint8)
    for buffer in (bytearray(FILE), memoryview(FILE), array, array.copy(), memoryview(array)):
        error, cursor, found = decode(backend, buffer, SMALL)
        assert (error, cursor) == expected[:2]
        assert_same(found, expected[2])
