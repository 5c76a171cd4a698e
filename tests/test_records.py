"""The records kernels: equal to protobuf on what is good, equal to one another on what is not."""

from __future__ import annotations

import gzip
import random
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import wire
from doors import NATIVE, door
from example_proto import features
from hypothesis import given, settings
from hypothesis import strategies as st

from bindings.errors import RecordError
from bindings.records import Schema, encode_example, frame
from bindings.records.arena import Arena

pytestmark = pytest.mark.part("decode_examples")

N_GENERATED = 100_000
RANDOM = Schema(wire.KINDS)
NARROW = Schema({"b": "span", "i": "uint16", "f": "float32", "missing": "int32"})
OTHERS = Schema({"i": "int32", "f": "bytes", "b": ("span", 1)})
Columns = dict[str, list[npt.NDArray[Any]]]


# ---- driving a kernel ----------------------------------------------------------------------


def arrays(arena: Arena, schema: Schema, rows: int) -> Columns:
    """The arrays in use of each column: values or data, then offsets."""
    batch = arena.batch(rows)
    found: Columns = {}
    for name in schema.names:
        column = batch[name]
        if isinstance(column, np.ndarray):
            found[name] = [column]
        else:
            parts = ("values", "data", "value_offsets", "offsets")
            found[name] = [getattr(column, part) for part in parts if hasattr(column, part)]
    return found


def decode(
    backend: ModuleType,
    buffer: Any,
    schema: Schema,
    *,
    verify: bool = True,
    final: bool = True,
    rows: int = 64,
    room: tuple[int, int] = (8192, 65536),
) -> tuple[Any, list[int], Columns]:
    """(the six facts of the error or None, the cursor, the columns)."""
    arena = Arena(schema, rows, [room] * len(schema.fields))
    cursor = np.zeros(4, np.int64)
    arguments = (buffer, schema.buffer, arena.memory, arena.table, cursor, rows, verify, final)
    error = None
    try:
        assert backend.decode_examples(*arguments) == cursor[3]
    except RecordError as caught:
        error = facts(caught)
    return error, cursor.tolist(), arrays(arena, schema, int(cursor[3]))


def facts(error: RecordError) -> tuple[Any, ...]:
    assert str(error.code.name) in str(error)
    return (
        *(error.code, error.byte_offset, error.record, error.field),
        *(error.expected, error.actual, error.path),
    )


def assert_same(found: Columns, expected: Columns) -> None:
    assert found.keys() == expected.keys()
    for name, parts in expected.items():
        for part, wanted in zip(found[name], parts, strict=True):
            assert part.dtype == wanted.dtype, name
            assert part.tobytes() == wanted.tobytes(), name


# ---- equal to protobuf ---------------------------------------------------------------------


def expected_columns(records: list[bytes], schema: Schema) -> Columns:
    """What protobuf makes of the records, as columns."""
    parsed = [features(record) for record in records]
    found: Columns = {}
    for field in schema.fields:
        rows = []
        for record in parsed:
            kind, values = record.get(field.name, ("", []))
            assert kind in ("", field.kind)
            rows.append(values)
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        flat = [value for row in rows for value in row]
        if field.kind == "bytes":
            value_offsets = np.cumsum([0, *map(len, flat)], dtype=np.int64)
            data = np.frombuffer(b"".join(flat), np.uint8)
            found[field.name] = [data, value_offsets, offsets]
        else:
            found[field.name] = [np.array(flat, field.kind), offsets]
    return found


@cache
def generated() -> tuple[bytes, int, Columns]:
    """Examples written in every legal way, and what protobuf reads in them. No NaNs: their
    payload is lost on protobuf's way through Python's floats."""
    rng = random.Random(7)
    records: list[bytes] = []
    while len(records) < N_GENERATED:
        record = wire.example(rng)
        if not any(value != value for _, values in features(record).values() for value in values):
            records.append(record)
    return b"".join(map(frame, records)), len(records), expected_columns(records, RANDOM)


@pytest.mark.part("decode_examples", native=True)
def test_generated_examples(backend: ModuleType) -> None:
    buffer, n, expected = generated()
    room = (16 * n, 400 * n)
    error, cursor, found = decode(backend, buffer, RANDOM, rows=n, room=room)
    assert error is None
    assert cursor == [0, len(buffer), n, n]
    assert_same(found, expected)


def real_files(folder: Path) -> list[Path]:
    files = [path for path in (folder / "records").rglob("*") if "tfrecord" in path.name.lower()]
    files += (folder / "records").rglob("Split-*.gz")
    return sorted({path for path in files if path.is_file() and "sequence" not in str(path)})


@cache
def real(path: Path) -> tuple[bytes, Schema, int, Columns]:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    spans = np.zeros((len(data) // 16, 2), np.int64)
    n = door("python").index_records(data, spans, np.zeros(4, np.int64), False)
    records = [data[at : at + size] for at, size in spans[:n].tolist()]
    kinds: dict[str, Any] = {}
    for record in records:
        kinds.update({name: kind for name, (kind, _) in features(record).items() if kind})
    schema = Schema(dict(sorted(kinds.items())))
    return data, schema, n, expected_columns(records, schema)


@pytest.mark.part("decode_examples", native=True)
def test_real_files(backend: ModuleType, data: Path | None) -> None:
    for path in real_files(data) if data else []:
        buffer, schema, n, expected = real(path)
        room = (n * 800, len(buffer))
        error, cursor, found = decode(backend, buffer, schema, rows=n, room=room)
        assert error is None, path
        assert cursor == [0, len(buffer), n, n]
        assert_same(found, expected)


# ---- equal to the reference ----------------------------------------------------------------

SMALL = Schema({"i": "int64", "f": ("float32", 2), "b": "bytes", "missing": "float32"})
ROWS = [
    {"i": [1, -1, 300], "f": [0.5, 2.0], "b": [b"xyz", b""], "other": [1]},
    {"f": [1.0, -1.0], "i": []},
    {"b": b"q", "f": [3.0, 4.0], "i": 2**40},
]
FILE = b"".join(frame(encode_example(row)) for row in ROWS)


def same_everywhere(buffer: bytes, schema: Schema = SMALL, **options: Any) -> Any:
    """What the reference makes of a buffer, once every native door is known to make the same."""
    reference = decode(door("python"), buffer, schema, **options)
    for name in NATIVE:
        error, cursor, found = decode(door(name), buffer, schema, **options)
        assert (error, cursor) == reference[:2], name
        assert_same(found, reference[2])
    return reference


@pytest.mark.parametrize("final", [True, False])
def test_cut_at_every_byte(final: bool) -> None:
    for size in range(len(FILE) + 1):
        error, cursor, _ = same_everywhere(FILE[:size], final=final)
        whole = size == cursor[1]
        assert (error is None) == (whole or not final)


@pytest.mark.parametrize("verify", [True, False])
def test_every_byte_damaged(verify: bool) -> None:
    rng = random.Random(3)
    for at in range(len(FILE)):
        for mask in (0xFF, 0x80, 1 << rng.randrange(8)):
            damaged = bytearray(FILE)
            damaged[at] ^= mask
            error, _, _ = same_everywhere(bytes(damaged), verify=verify)
            assert error is not None or not verify


@settings(max_examples=300, deadline=None)
@given(
    st.randoms(use_true_random=False), st.lists(st.tuples(st.integers(0), st.binary(max_size=4)))
)
def test_damaged_examples(rng: random.Random, damage: list[tuple[int, bytes]]) -> None:
    record = bytearray(wire.example(rng))
    for at, replacement in damage:
        start = at % (len(record) + 1)
        record[start : start + rng.randrange(4)] = replacement
    for schema in (RANDOM, NARROW, OTHERS):
        same_everywhere(frame(bytes(record)), schema)


@pytest.mark.parametrize(
    "size", [0, 1, 11, 2**31, 2**62, 2**63 - 17, 2**63 - 16, 2**63, 2**64 - 16, 2**64 - 1]
)
@pytest.mark.parametrize("final", [True, False])
def test_hostile_lengths(size: int, final: bool) -> None:
    header = size.to_bytes(8, "little")
    crc = frame(header)[-4:]  # the masked CRC of the eight bytes
    error, cursor, _ = same_everywhere(header + crc + b"12345678", final=final)
    assert cursor == [0, 0, 0, 0]
    assert error is not None or not final


def test_no_room(backend: ModuleType) -> None:
    """CAPACITY says what is needed, and the call goes on from where it stopped."""
    for room in [(0, 1000), (2, 1000), (100, 0), (100, 3), (4, 2)]:
        error, cursor, _ = decode(backend, FILE, SMALL, room=room)
        assert (error, cursor) == decode(door("python"), FILE, SMALL, room=room)[:2]
        assert error[0] in (14, 15)
        assert error[4] > error[5]


def test_stops_at_max_records_and_goes_on(backend: ModuleType) -> None:
    arena = Arena(SMALL, 2, [(100, 100)] * 4)
    cursor = np.zeros(4, np.int64)
    call = (FILE, SMALL.buffer, arena.memory, arena.table, cursor, 2)
    assert backend.decode_examples(*call) == 2
    assert cursor[2:].tolist() == [2, 2]
    cursor[3] = 0
    assert backend.decode_examples(*call) == 1
    assert cursor.tolist() == [0, len(FILE), 3, 1]
    assert arena.batch(1)["i"].to_list() == [[2**40]]


def test_any_buffer(backend: ModuleType) -> None:
    expected = decode(door("python"), FILE, SMALL)
    array = np.frombuffer(FILE, np.uint8)
    for buffer in (bytearray(FILE), memoryview(FILE), array, array.copy(), memoryview(array)):
        error, cursor, found = decode(backend, buffer, SMALL)
        assert (error, cursor) == expected[:2]
        assert_same(found, expected[2])


# ---- index ---------------------------------------------------------------------------------


@pytest.mark.part("index_records")
def test_index(backend: ModuleType) -> None:
    spans = np.full((5, 2), -7, np.int64)
    cursor = np.array([1000, 0, 10, 1])
    assert backend.index_records(FILE, spans, cursor) == 4
    assert cursor.tolist() == [1000, len(FILE), 13, 4]
    assert spans[[0, 4]].tolist() == [[-7, -7], [-7, -7]]
    for (offset, size), row in zip(spans[1:4].tolist(), ROWS, strict=True):
        assert FILE[offset - 1000 :][:size] == encode_example(row)
    short = np.zeros((2, 2), np.int64)
    cursor = np.zeros(4, np.int64)
    assert backend.index_records(FILE, short, cursor, verify=False) == 2
    backwards = np.zeros((4, 2), np.int64)[::-1][:1]  # C-contiguous, its first stride negative
    assert backend.index_records(FILE, backwards, np.zeros(4, np.int64)) == 1
    assert (backwards == short[0]).all()


@pytest.mark.part("index_records")
def test_index_of_damaged_files(backend: ModuleType) -> None:
    reference = door("python")
    for at in range(0, len(FILE), 3):
        damaged = bytearray(FILE)
        damaged[at] ^= 0x10
        outcomes = []
        for one in (reference, backend):
            spans, cursor = np.zeros((9, 2), np.int64), np.array([5, 0, 0, 0])
            with pytest.raises(RecordError) as caught:
                one.index_records(bytes(damaged), spans, cursor)
            outcomes.append((facts(caught.value), cursor.tolist(), spans.tolist()))
        assert outcomes[0] == outcomes[1]


# ---- fixed layouts -------------------------------------------------------------------------


@pytest.mark.part("decode_fixed")
def test_fixed(backend: ModuleType) -> None:
    record = np.dtype([("a", "u1"), ("b", ">i4"), ("c", "<f8", 3), ("d", ">u2", 2)])
    rows = np.frombuffer(random.Random(1).randbytes(record.itemsize * 37), record)
    fields = np.array(
        [
            [0, 1, 1, 0, 0],
            [1, 4, 1, 1, 40],
            [5, 8, 3, 0, 40 + 152],
            [29, 2, 2, 1, 40 + 152 + 24 * 37],
        ]
    )
    arena, cursor = np.empty(40 + 152 + 24 * 37 + 152, np.uint8), np.zeros(4, np.int64)
    call = (record.itemsize, fields, arena, cursor, 37)
    assert backend.decode_fixed(rows.tobytes(), *call) == 37
    assert arena[:37].tobytes() == rows["a"].tobytes()
    assert arena[40 : 40 + 148].view("i4").tolist() == rows["b"].tolist()
    assert arena[192 : 192 + 24 * 37].tobytes() == rows["c"].tobytes()
    assert arena[192 + 24 * 37 :][:148].view("u2").tolist() == rows["d"].reshape(-1).tolist()
    cursor[:] = 0
    with pytest.raises(RecordError) as caught:
        backend.decode_fixed(rows.tobytes()[:-1], *call)
    size = record.itemsize
    assert facts(caught.value) == (16, 36 * size, 36, None, size, size - 1, None)
    assert cursor.tolist() == [0, 36 * size, 36, 36]


# ---- refusals ------------------------------------------------------------------------------


def call_with(backend: ModuleType, **changes: Any) -> Any:
    arena = Arena(SMALL, 8, [(100, 100)] * 4)
    arguments: dict[str, Any] = {
        "buffer": FILE,
        "schema": SMALL.buffer,
        "arena": arena.memory,
        "columns": arena.table,
        "cursor": np.zeros(4, np.int64),
        "max_records": 8,
    }
    arguments.update(
        {
            name: change(arguments[name]) if callable(change) else change
            for name, change in changes.items()
        }
    )
    return backend.decode_examples(**arguments)


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("error", "name", "change"),
    [
        (TypeError, "buffer", "text"),
        (TypeError, "buffer", None),
        (TypeError, "buffer", [1, 2]),
        (TypeError, "schema", "text"),
        (TypeError, "arena", None),
        (TypeError, "arena", lambda a: a.view(np.int64)),
        (TypeError, "columns", lambda a: a.tolist()),
        (TypeError, "columns", lambda a: a.astype(np.int32)),
        (TypeError, "columns", lambda a: a.astype(np.float64)),
        (TypeError, "columns", lambda a: a.astype(">i8")),
        (TypeError, "cursor", lambda a: a.tolist()),
        (TypeError, "max_records", "8"),
        (ValueError, "buffer", lambda b: memoryview(b)[::2]),
        (ValueError, "buffer", lambda b: np.frombuffer(b, np.uint8)[::-1]),
        (ValueError, "arena", frozen),
        (ValueError, "arena", lambda a: a[::2]),
        (ValueError, "columns", frozen),
        (ValueError, "columns", lambda a: a[:, :9].copy()),
        (ValueError, "columns", lambda a: a.reshape(-1)),
        (ValueError, "columns", lambda a: np.asfortranarray(a)),
        (ValueError, "cursor", frozen),
        (ValueError, "cursor", lambda a: np.zeros(5, np.int64)),
        (ValueError, "cursor", lambda a: np.zeros((1, 4), np.int64)),
        (ValueError, "cursor", lambda a: a - 1),
        (ValueError, "cursor", lambda a: a + 2**40),
        (ValueError, "max_records", 2**40),
        (ValueError, "max_records", -1),
        (ValueError, "schema", lambda s: s[:-1]),
        (ValueError, "schema", b""),
        (ValueError, "schema", lambda s: s[:8] + b"\x09" + s[9:]),
        (ValueError, "arena", lambda a: a[:-64].copy()),
        (ValueError, "columns", lambda a: a + 1),
        (ValueError, "columns", lambda a: -a - 5),
        (ValueError, "columns", lambda a: a + 2**62),
    ],
    ids=count(),
)
def test_refused_arguments(
    backend: ModuleType, error: type[Exception], name: str, change: Any
) -> None:
    with pytest.raises(error) as caught:
        call_with(backend, **{name: change})
    assert not isinstance(caught.value, RecordError)


def test_good_arguments_are_not_refused(backend: ModuleType) -> None:
    assert call_with(backend) == 3


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=40, max_size=40), st.binary(max_size=200)
)
def test_hostile_tables(numbers: list[int], schema: bytes) -> None:
    """No table and no schema makes a kernel touch what is not its own."""
    for name in NATIVE:
        columns = np.array(numbers, np.int64).reshape(4, 10)
        for changes in ({"columns": columns}, {"schema": schema}):
            with pytest.raises((ValueError, RecordError)):
                call_with(door(name), **changes)
