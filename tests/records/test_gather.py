"""Records gathered in any order equal the records that reading finds; a wrong index is an error."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from support.nine_records import EXPECTED, FILE, SCHEMA, STARTS, plain

pytestmark = pytest.mark.part("gather_examples", kernels=True)
SPANS = records.index(FILE, backend="python")


@pytest.mark.part("gather_examples")
def test_any_order(backend: ModuleType, path: Path) -> None:
    rng = random.Random(1)
    for size in (0, 1, 9, 100):
        order = rng.choices(range(9), k=size)
        for source in (FILE, path):
            batch = records.gather(source, SPANS[order], SCHEMA, backend=backend)
            assert plain([batch]) == [EXPECTED[i] for i in order]


def test_spans_are_those_of_the_file(path: Path) -> None:
    schema = records.Schema({"tags": "span", "pair": ("span", 2)})
    order = [5, 0, 8, 2]
    one, other = (records.gather(source, SPANS[order], schema) for source in (FILE, path))
    for batch in (one, other):
        strings = [[FILE[a : a + n] for a, n in row] for row in batch["tags"]]
        assert strings == [EXPECTED[i]["tags"] for i in order]
        assert [FILE[a : a + n] for a, n in batch["pair"][:, 1]] == [bytes([i]) for i in order]


def failure(
    backend: ModuleType, file: Any, spans: npt.NDArray[np.int64], **options: Any
) -> tuple[Any, ...]:
    with pytest.raises(RecordError) as caught:
        records.gather(file, spans, SCHEMA, backend=backend, **options)
    error = caught.value
    return (error.code, error.byte_offset, error.record, error.field, error.expected, error.actual)


def test_damage_is_found(backend: ModuleType, tmp_path: Path) -> None:
    file = bytearray(FILE)
    file[STARTS[4] + 20] ^= 1
    path = tmp_path / "damaged"
    path.write_bytes(file)
    for source in (bytes(file), path):
        error = failure(backend, source, SPANS[[2, 4, 3]])
        assert error[:4] == (Code.DATA_CRC, STARTS[4] + 12, 1, None)
    schema = records.Schema({"label": ("int64", 2)})
    with pytest.raises(RecordError, match="'label'"):
        records.gather(FILE, SPANS[3:], schema, backend=backend)


@pytest.mark.parametrize("verify", [True, False])
def test_a_file_cut_short(backend: ModuleType, tmp_path: Path, verify: bool) -> None:
    path, order = tmp_path / "cut", [2, 8, 3, 5]
    for end in (*range(STARTS[8], len(FILE)), STARTS[5] + 20):
        path.write_bytes(FILE[:end])
        found = failure(backend, path, SPANS[order], verify=verify)
        assert found == failure(backend, FILE[:end], SPANS[order], verify=verify)
        assert found[2] == 1
    for offset in (len(FILE) + 12, 2**62, 2**63 - 1):
        beyond = np.array([[offset, 5]])
        assert failure(backend, path, beyond)[:2] == (Code.TRUNCATED_HEADER, offset - 12)


def test_an_index_of_another_file_is_found(backend: ModuleType, tmp_path: Path) -> None:
    spans = SPANS.copy()
    spans[3, 1] += 1
    sizes = int(spans[3, 1]), int(spans[3, 1]) - 1
    assert failure(backend, FILE, spans) == (Code.STALE_INDEX, STARTS[3], 3, None, *sizes)
    shifted = SPANS + np.array([5, 0])
    assert failure(backend, FILE, shifted)[:3] == (Code.LENGTH_CRC, STARTS[0] + 5, 0)
    cut = FILE[: STARTS[5]]
    assert failure(backend, cut, SPANS) == (Code.TRUNCATED_HEADER, STARTS[5], 5, None, 12, 0)
    assert failure(backend, cut[:-1], SPANS)[0] == Code.TRUNCATED_FOOTER
    path = tmp_path / "file"
    for size in (0, 5, sizes[1] - 1, sizes[1] + 1, len(FILE), -5):
        spans[3, 1] = size
        for end in (len(FILE), STARTS[4] - 1):
            path.write_bytes(FILE[:end])
            for verify in (True, False):
                found = failure(backend, FILE[:end], spans[3:], verify=verify)
                assert failure(backend, path, spans[3:], verify=verify) == found
    huge = np.array([[2**62, 5]])
    assert failure(backend, FILE, huge)[:2] == (Code.TRUNCATED_HEADER, 2**62 - 12)


@pytest.mark.part("gather_examples")
@pytest.mark.parametrize("offset", [-(2**63), -1, 0, 11])
def test_a_span_before_the_buffer_is_refused(backend: ModuleType, offset: int) -> None:
    with pytest.raises(ValueError, match="contradict"):
        records.gather(FILE, np.array([[offset, 5]]), SCHEMA, backend=backend)


@pytest.mark.part("gather_examples")
@pytest.mark.parametrize("spans", [np.zeros((3, 3), np.int64), np.zeros(4, np.int64)])
def test_spans_of_another_shape_are_refused(backend: ModuleType, spans: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        records.gather(FILE, spans, SCHEMA, backend=backend)
    with pytest.raises(TypeError):
        records.gather(FILE, SPANS.astype(np.int32), SCHEMA, backend=backend)
