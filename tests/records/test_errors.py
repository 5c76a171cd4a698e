"""ffi_cookbook.records names the place of every fault, and reads compressed files."""

from __future__ import annotations

import gc
import gzip
import io
import pickle
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from support.nine_records import EXPECTED, FILE, ROWS, SCHEMA, STARTS, plain

pytestmark = pytest.mark.part("decode_examples")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "nine.tfrecord"
    records.write(path, ROWS)
    return path


# ---- errors -----------------------------------------------------------------------------------


def damaged(*flips: int) -> bytes:
    file = bytearray(FILE)
    for flip in flips:
        file[flip] ^= 0x10
    return bytes(file)


@pytest.mark.parametrize("chunk_size", [64, 1 << 20])
def test_errors_say_where(backend: ModuleType, path: Path, chunk_size: int) -> None:
    path.write_bytes(damaged(STARTS[5] + 30))
    with pytest.raises(RecordError, match=r"nine\.tfrecord: record 5") as caught:
        list(records.read(path, SCHEMA, backend=backend, batch_size=2, chunk_size=chunk_size))
    error = pickle.loads(pickle.dumps(caught.value))
    where = (error.code, error.path, error.byte_offset, error.record, error.field)
    assert where == (Code.DATA_CRC, str(path), STARTS[5] + 12, 5, None)
    other = records.Schema({"label": ("float32", 1)})
    with pytest.raises(RecordError, match="'label'") as caught:
        list(records.read(FILE, other, backend=backend))
    assert caught.value.code == Code.TYPE_MISMATCH
    assert caught.value.path is None


def test_an_error_does_not_hold_the_memory(backend: ModuleType) -> None:
    file = bytearray(damaged(STARTS[5] + 30))
    with pytest.raises(RecordError) as caught:
        list(records.read(file, SCHEMA, backend=backend))
    file.append(0)  # no buffer is still exported, though the exception refers to its frames
    caught.value.__cause__ = caught.value
    del caught
    gc.collect()


def test_bad_records_can_be_skipped(backend: ModuleType) -> None:
    file = damaged(STARTS[0] + 20, STARTS[5] + 30, STARTS[6] + 30)
    good = [row for i, row in enumerate(EXPECTED) if i not in (0, 5, 6)]
    for chunk_size in (40, 1 << 20):
        source, report = io.BytesIO(file), records.Report()
        options = {"backend": backend, "chunk_size": chunk_size, "batch_size": 4}
        read = records.read(source, SCHEMA, on_error="skip", report=report, **options)
        assert plain(read) == good
        assert [(loss.error.code, loss.error.record) for loss in report.losses] == [
            (Code.DATA_CRC, record) for record in (0, 5, 6)
        ]
    assert plain(records.read(file, SCHEMA, backend=backend, on_error="skip")) == good
    bad_header = damaged(STARTS[3] + 1)
    with pytest.raises(RecordError) as caught:
        list(records.read(bad_header, SCHEMA, backend=backend, on_error="skip"))
    assert (caught.value.code, caught.value.byte_offset) == (Code.LENGTH_CRC, STARTS[3])


# ---- compression ------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["gzip", "zlib", None])
def test_compressed_files_are_recognised(tmp_path: Path, compression: Any) -> None:
    path = tmp_path / "file"
    records.write(path, ROWS, compression=compression)
    file = path.read_bytes()
    for chunk_size in (1, 50, 1 << 20):
        for argument in ("infer", compression):
            for source in (path, file, io.BytesIO(file)):
                batches = records.read(
                    source, SCHEMA, backend="python", compression=argument, chunk_size=chunk_size
                )
                assert plain(batches) == EXPECTED
    decompress = {"gzip": gzip.decompress, "zlib": zlib.decompress, None: bytes}[compression]
    assert decompress(file) == FILE


def test_gzip_members_follow_one_another_and_may_be_padded() -> None:
    members = [
        gzip.compress(FILE[:100]),
        gzip.compress(b""),
        gzip.compress(FILE[100:]),
        bytes(1000),
    ]
    for source in (b"".join(members), b"".join(members[:3])):
        assert plain(records.read(source, SCHEMA, backend="python")) == EXPECTED


def test_a_damaged_compressed_file_is_named(path: Path) -> None:
    def read_all() -> None:
        list(records.read(path, SCHEMA, backend="python", compression="gzip"))

    whole = gzip.compress(FILE)
    for size in range(1, len(whole), 9):
        path.write_bytes(whole[:size])
        with pytest.raises(EOFError, match=r"nine\.tfrecord"):
            read_all()
    for bad in (whole[:50] + b"\0\0\0" + whole[53:], whole + b"garbage", FILE):
        path.write_bytes(bad)
        with pytest.raises(zlib.error, match=r"nine\.tfrecord"):
            read_all()
    with pytest.raises(ValueError, match="compression"):
        list(records.read(path, SCHEMA, backend="python", compression="lzma"))  # type: ignore[arg-type]


def test_a_plain_record_that_looks_compressed_is_read_as_plain() -> None:
    for size in (0x088B1F, 0x9C78):  # lengths that begin like gzip and zlib
        assert records.index(records.frame(bytes(size)), backend="numpy").tolist() == [[12, size]]
