"""read_fixed: any plain structured dtype becomes native columns, and the file must fit it."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bindings import records
from bindings.errors import RecordError

pytestmark = pytest.mark.part("decode_fixed")

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


@pytest.mark.parametrize(
    ("dtype", "error"),
    [
        ("<f4", TypeError),
        ([("a", object)], TypeError),
        ([("a", [("b", object)], 3)], TypeError),
        ([], ValueError),
        ([("a", [("b", "u1")]), ("a.b", "u1")], ValueError),
    ],
)
def test_layouts_that_are_no_plain_records(dtype: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        records.FixedLayout(dtype)
