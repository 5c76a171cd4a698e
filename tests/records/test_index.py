"""index_records finds every record up to the first bad one."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from ffi_cookbook.records import encode_example
from support.record_kernels import FILE, ROWS

pytestmark = pytest.mark.part("index_records")


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
    backwards = np.zeros((4, 2), np.int64)[::-1][:1]  # C-contiguous, with a negative first stride
    assert backend.index_records(FILE, backwards, np.zeros(4, np.int64)) == 1
    assert (backwards == short[0]).all()
