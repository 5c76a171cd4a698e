"""ffi_cookbook.records gives the same batches with every binding, source, chunk and batch size."""

from __future__ import annotations

import io
import mmap
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.errors import RecordError
from support.nine_records import EXPECTED, FILE, ROWS, SCHEMA, plain

pytestmark = pytest.mark.part("decode_examples", kernels=True)


# ---- batches ----------------------------------------------------------------------------------


@pytest.mark.part("decode_examples")
def test_a_batch_has_the_columns_of_its_schema(backend: ModuleType) -> None:
    (batch,) = records.read(FILE, SCHEMA, backend=backend)
    assert len(batch) == len(ROWS)
    assert plain([batch]) == EXPECTED
    assert batch["pixels"].shape == (9, 3)
    assert batch["pixels"].dtype == np.float32
    ids, tags = batch["ids"], batch["tags"]
    assert ids[-1].tolist() == ROWS[-1]["ids"]
    assert ids.offsets.tolist() == [0, 0, 2, 6, 12, 20, 30, 42, 56, 72]
    assert tags[-1] == EXPECTED[-1]["tags"]
    assert len(ids) == len(tags) == 9
    for column, row in ((ids, 9), (tags, -10)):
        with pytest.raises(IndexError):
            column[row]
    assert dict(batch).keys() == set(SCHEMA.names)


# ---- reading ----------------------------------------------------------------------------------


def test_the_size_of_chunks_and_batches_does_not_matter(backend: ModuleType) -> None:
    for chunk_size in (*range(1, 200, 7), *range(len(FILE) - 3, len(FILE) + 3)):
        for batch_size in (1, 4, 9, 100):
            batches = list(
                records.read(
                    io.BytesIO(FILE),
                    SCHEMA,
                    backend=backend,
                    batch_size=batch_size,
                    chunk_size=chunk_size,
                )
            )
            assert plain(batches) == EXPECTED
            assert {len(batch) for batch in batches[:-1]} <= {batch_size}


def test_every_source_gives_the_same_records(path: Path) -> None:
    def rows(source: Any) -> list[dict[str, Any]]:
        return plain(records.read(source, SCHEMA, backend="python"))

    array = bytearray(FILE)
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        with memoryview(mapped) as view:
            buffers = (FILE, array, memoryview(FILE), np.frombuffer(FILE, np.uint8), view)
            for source in (str(path), path, file, io.BytesIO(FILE), *buffers):
                assert rows(source) == EXPECTED
        message = "source must not be an mmap: pass the path of its file"
        with pytest.raises(TypeError, match=message):
            records.read(mapped, SCHEMA)
        with pytest.raises(TypeError, match=message):
            next(records.read_fixed(mapped, [("x", "u1")]))
    array.append(0)
    assert rows(b"") == rows(io.BytesIO()) == []


def test_no_columns(backend: ModuleType) -> None:
    """Records are still counted and checked."""
    schema, spans = records.Schema({}), records.index(FILE)
    batches = list(records.read(FILE, schema, backend=backend, batch_size=4))
    assert [(len(batch), list(batch)) for batch in batches] == [(4, []), (4, []), (1, [])]
    assert len(records.gather(FILE, spans[:3], schema, backend=backend)) == 3
    with pytest.raises(RecordError):
        list(records.read(FILE[:-1], schema, backend=backend))


def test_batches_share_memory_only_when_asked_to() -> None:
    first, second, _ = records.read(FILE, SCHEMA, backend="python", batch_size=4)
    assert plain([first, second]) == EXPECTED[:8]
    batches = records.read(FILE, SCHEMA, backend="python", batch_size=4, reuse=True)
    first, second = next(batches), next(batches)
    assert np.shares_memory(first["pixels"], second["pixels"])
    assert plain([second]) == EXPECTED[4:8]


def test_without_a_name_the_best_backend_is_taken() -> None:
    assert plain(records.read(FILE, SCHEMA)) == EXPECTED
    assert open_backend("python").__name__ == "ffi_cookbook.bindings.python"
    with pytest.raises(ValueError, match="no backend"):
        records.read(FILE, SCHEMA, backend="cobol")


# ---- index ------------------------------------------------------------------------------------


@pytest.mark.part("index_records", kernels=True)
def test_index_says_where_every_record_is(backend: ModuleType, path: Path) -> None:
    for chunk_size in (1, 33, 1 << 20):
        spans = records.index(path, backend=backend, chunk_size=chunk_size)
        assert [FILE[start : start + size] for start, size in spans.tolist()] == [
            records.encode_example(row) for row in ROWS
        ]
    many = records.frame(b"") * 20_000
    spans = records.index(io.BytesIO(many), backend=backend, verify=False)
    assert (spans == [[12 + 16 * i, 0] for i in range(20_000)]).all()
    path.write_bytes(FILE[:-1])
    with pytest.raises(RecordError, match=r"nine\.tfrecord.*TRUNCATED_FOOTER"):
        records.index(path, backend=backend)
