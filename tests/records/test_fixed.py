"""read_fixed: any plain structured dtype becomes native columns, and the file must fit it."""

from __future__ import annotations

import io
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from support.record_kernels import facts

pytestmark = pytest.mark.part("decode_fixed", kernels=True)

KINDS = ("<i1", ">i2", "<u2", ">i4", "<i8", ">u8", ">f2", "<f4", ">f8")
LEVEL = np.dtype([("price", ">i8"), ("size", "<u4"), ("flags", "u1", (2,))])
LAYOUT = np.dtype(
    [
        ("flag", "?"),
        *((f"n{i}", kind) for i, kind in enumerate(KINDS)),
        ("when", ">M8[ns]"),
        ("waves", ">c16", (2, 3)),
        ("name", "S5"),
        ("text", ">U3"),
        ("raw", "V7"),
        ("levels", LEVEL, (2, 2)),
        ("nested", [("inner", [("x", ">f4")])]),
        ("long", np.longdouble),
    ]
)


@pytest.mark.part("decode_fixed")
def test_the_kernel(backend: ModuleType) -> None:
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


def test_fixed_records_become_native_columns(backend: ModuleType, tmp_path: Path) -> None:
    path, stored = tmp_path / "file", np.zeros(23, LAYOUT)
    raw = np.random.default_rng(5).integers(0, 256, stored.nbytes, np.uint8)
    stored.view(np.uint8)[:] = raw
    stored["flag"] = raw[:23] & 1
    stored["text"] = "añ€"
    stored["long"] = np.arange(23)
    path.write_bytes(b"header!" * 9 + stored.tobytes())
    for options in ({}, {"batch_size": 4}, {"batch_size": 10, "chunk_size": 3}):
        parts = list(records.read_fixed(path, LAYOUT, offset=63, backend=backend, **options))
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        assert tuple(columns) == records.FixedLayout(LAYOUT).names
        for name, column in columns.items():
            expected = stored
            for step in name.split("."):
                expected = expected[step]
            native = expected.astype(expected.dtype.newbyteorder("="))
            assert (column.shape, column.dtype) == (native.shape, native.dtype)
            assert column.tobytes() == native.tobytes()
        assert all(array.flags.c_contiguous for part in parts for array in part.values())


def test_a_fixed_file_that_does_not_fit_its_layout(backend: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(3 * LEVEL.itemsize + 1))
    with pytest.raises(RecordError, match=r"file: record 3.*FIXED_REMAINDER"):
        list(records.read_fixed(path, LEVEL, backend=backend))
    assert list(records.read_fixed(path, LEVEL, backend=backend, offset=43)) == []
    with pytest.raises(ValueError, match=r"file: ends at byte 43, before the offset 44"):
        list(records.read_fixed(path, LEVEL, backend=backend, offset=44))


def test_a_padded_layout_is_read_without_its_padding(backend: ModuleType) -> None:
    padded = np.dtype([("a", "u1"), ("b", ">f8"), ("c", "<i2")], align=True)
    stored = np.zeros(5, padded)
    stored.view(np.uint8)[:] = 0xAA
    stored["a"], stored["b"], stored["c"] = range(5), np.arange(5) / 3, -np.arange(5)
    assert padded.itemsize == 24
    (columns,) = records.read_fixed(stored.tobytes(), padded, backend=backend)
    assert {name: column.tolist() for name, column in columns.items()} == {
        name: stored[name].tolist() for name in "abc"
    }


# ---- parts of a file --------------------------------------------------------------------------


WIDE = np.dtype([("head", ">u4"), ("levels", LEVEL, 4), ("text", "S3"), ("sum", "<i8")])


def test_records_behind_a_header(backend: ModuleType) -> None:
    for dtype, n in ((WIDE, 3), (LEVEL, 30)):
        rows = random.Random(6).randbytes(n * dtype.itemsize)
        (expected,) = records.read_fixed(rows, dtype, backend="numpy")
        for options in ({}, {"batch_size": 7, "chunk_size": 50}, {"count": n, "batch_size": 8}):
            source = io.BytesIO(b"head" + rows + b"what follows" * ("count" in options))
            parts = list(records.read_fixed(source, dtype, offset=4, backend=backend, **options))
            assert parts[0].keys() == expected.keys()
            for name, column in expected.items():
                assert np.concatenate([part[name] for part in parts]).tobytes() == column.tobytes()


def fault(source: Any, dtype: Any, **options: Any) -> tuple[Any, ...]:
    """Return the reason and the place of a failed reading, or () if records can be read."""
    try:
        list(records.read_fixed(io.BytesIO(source), dtype, batch_size=11, chunk_size=64, **options))
    except RecordError as error:
        return error.code, error.byte_offset, error.record, error.expected, error.actual
    return ()


def test_exactly_count_records_are_read(backend: ModuleType) -> None:
    file, size = bytes(range(200)), LEVEL.itemsize
    for count in (0, 1, 5, 14):
        parts = list(records.read_fixed(file, LEVEL, count=count, batch_size=4, backend=backend))
        assert sum(len(part["price"]) for part in parts) == count
    assert fault(file, LEVEL, count=15, backend=backend) == (
        Code.FIXED_REMAINDER,
        14 * size,
        14,
        size,
        200 - 14 * size,
    )
    whole = file[: 14 * size]
    assert fault(whole, LEVEL, count=15, backend=backend) == (
        Code.FIXED_REMAINDER,
        14 * size,
        14,
        size,
        0,
    )


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"count": -1}, ValueError),
        ({"count": 1.5}, TypeError),
        ({"dtype": "<f4"}, TypeError),
        ({"dtype": [("a", object)]}, TypeError),
        ({"dtype": [("a", [("b", object)], 3)]}, TypeError),
        ({"dtype": []}, ValueError),
        ({"dtype": [("a", [("b", "u1")]), ("a.b", "u1")]}, ValueError),
    ],
)
def test_impossible_layouts(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        records.read_fixed(b"", **{"dtype": LEVEL, **options})
