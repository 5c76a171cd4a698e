"""ffi_cookbook.records names the place of every fault, and reads compressed files."""

from __future__ import annotations

import gc
import gzip
import io
import pickle
import struct
import tracemalloc
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.wire import header
from support.nine_records import EXPECTED, FILE, ROWS, SCHEMA, STARTS, damaged, plain

pytestmark = pytest.mark.part("decode_examples")


# ---- errors -----------------------------------------------------------------------------------


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


def test_a_plain_record_that_looks_compressed_is_read_as_plain() -> None:
    for size in (0x088B1F, 0x9C78):  # lengths that begin like gzip and zlib
        assert records.index(records.frame(bytes(size)), backend="numpy").tolist() == [[12, size]]


# Records before damage are delivered, and a policy continues after a truncated compressed file.


ROW_SCHEMA = records.Schema({"id": ("int64", 1)})
N = 100
PLAIN = b"".join(records.frame(records.encode_example({"id": i})) for i in range(N))
COMPRESS = {"gzip": gzip.compress, "zlib": zlib.compress}


def read(source: Any, **options: Any) -> tuple[list[int], Exception | None]:
    """Return the ids that are read, and the exception that ends the reading."""
    ids: list[int] = []
    try:
        for batch in records.read(source, ROW_SCHEMA, **options):
            ids += batch["id"][:, 0].tolist()
    except (RecordError, EOFError, zlib.error) as error:
        return ids, error
    return ids, None


def intact(packed: bytes, name: str) -> int:
    """Return the number of whole records in a truncated stream."""
    stream = zlib.decompressobj({"gzip": 31, "zlib": 15}[name])
    data = stream.decompress(packed[:-4]) if packed[-4:] == bytes(4) else stream.decompress(packed)
    return len(records.index(data, on_error="skip"))


# ---- compressed files -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_the_rows_before_the_damage(name: Any, tmp_path: Path) -> None:
    """They are read, and then the error names the file."""
    whole, path = COMPRESS[name](PLAIN), tmp_path / "cut"
    half, no_sum = len(whole) // 2, whole[:-4] + bytes(4)
    damages = [(whole[:size], EOFError) for size in (len(whole) - 1, half, 1)]
    damages += [(no_sum, zlib.error), (whole + b"garbage", zlib.error), (PLAIN, zlib.error)]
    for data, kind in damages:
        path.write_bytes(data)
        n = intact(data, name) if data is not PLAIN else 0
        for batch_size in (None, 7):
            ids, error = read(path, batch_size=batch_size, compression=name)
            assert ids == list(range(n))
            assert isinstance(error, kind)
            assert str(path) in str(error)


@pytest.mark.parametrize("policy", ["skip", "resync"])
@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_a_policy_reads_the_next_file(name: str, policy: Any, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    whole = COMPRESS[name](PLAIN)
    good.write_bytes(whole)
    garbled = bytearray(whole)
    garbled[len(whole) // 2 :] = bytes(len(whole) - len(whole) // 2)
    for data in (whole[: len(whole) // 2], whole[:-2], whole[:3], bytes(garbled)):
        bad.write_bytes(data)
        report = records.Report()
        options: dict[str, Any] = {"compression": name, "on_error": policy}
        ids, error = read([good, bad, good], report=report, **options)
        assert error is None
        n = len(ids) - 2 * N
        assert ids == [*range(N), *range(n), *range(N)]
        assert report.codes[Code.COMPRESSION] == 1
        assert report.losses[-1].error.path == str(bad)
        assert isinstance(report.losses[-1].error.__cause__, EOFError | zlib.error)
        ends = [0, *(records.index(PLAIN).sum(axis=1) + 4).tolist()]
        assert report.losses[0].start == ends[n]
        assert [*records.raw(bad, **options)] == [*records.raw(PLAIN[: ends[n]])]
        of_index = records.Report()
        spans = records.index(bad, report=of_index, **options)
        assert (len(spans), of_index.codes) == (n, report.codes)
        if n:
            assert records.Schema.infer(bad, compression=name, on_error=policy) == ROW_SCHEMA


def test_what_follows_a_damaged_record_of_a_cut_stream() -> None:
    """The search for the next good record ends at the end of the stream."""
    damaged = bytearray(PLAIN)
    damaged[-6] ^= 1  # in the last record
    report = records.Report()
    packed = gzip.compress(bytes(damaged))[:-5]
    ids, error = read(packed, on_error="resync", report=report)
    assert (ids, error) == (list(range(N - 1)), None)
    assert report.codes == {Code.DATA_CRC: 1, Code.COMPRESSION: 1}


def test_fixed_records_before_the_damage() -> None:
    dtype = np.dtype([("x", "<i4")])
    packed = gzip.compress(np.arange(1000, dtype="<i4").tobytes())[:-3]
    batches = records.read_fixed(packed, dtype, compression="gzip")
    assert next(batches)["x"].tolist() == list(range(1000))
    with pytest.raises(EOFError):
        next(batches)


# ---- memory -----------------------------------------------------------------------------------


@pytest.mark.part("decode_examples", kernels=True)
@pytest.mark.parametrize("claim", [2**60, 2**63 - 17, (64 << 20) - 12])
def test_a_forged_length_takes_no_memory(backend: ModuleType, tmp_path: Path, claim: int) -> None:
    """The payload that a record claims beyond the end of the file is not read."""
    path = tmp_path / "sparse"
    path.write_bytes(header(claim))
    with open(path, "r+b") as file:
        file.truncate((64 << 20) + 3)
    tracemalloc.start()
    try:
        with pytest.raises(RecordError) as caught:
            records.index(path, backend=backend, chunk_size=1 << 16)
        _, error = read(path, backend=backend, chunk_size=1 << 16)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    there = (64 << 20) + 3 - 12
    expected = (claim, there) if claim > there else (4, there - claim)
    assert (caught.value.expected, caught.value.actual) == expected
    assert str(error) == str(caught.value)
    assert peak < 4 << 20


# ---- plain files that are cut short -----------------------------------------------------------


@pytest.mark.parametrize("verify", [True, False])
def test_skip_continues_after_a_file_that_is_cut_short(verify: bool, tmp_path: Path) -> None:
    """As after a compressed one: the last record is a loss, and the next file follows."""
    options: dict[str, Any] = {"verify": verify, "on_error": "skip"}
    size = len(PLAIN) // N
    path = tmp_path / "cut.tfrecord"
    for missing in (1, 5, size - 12, size - 1):
        cut = PLAIN[:-missing]
        path.write_bytes(cut)
        for source in (path, cut, io.BytesIO(cut), gzip.compress(cut)):
            report = records.Report()
            how = {**options, "report": report, "chunk_size": 1 << 20 if source is path else 50}
            assert read([source, PLAIN[:size]], **how) == ([*range(N - 1), 0], None)
            (loss,) = report.losses
            assert loss[:2] == (len(cut) - (size - missing), len(cut))
            assert loss.error.record == N - 1
        report = records.Report()
        assert len(records.index([path, path], report=report, **options)) == 2 * (N - 1)
        assert report.count == 2
        assert len([*records.raw([path, path], **options)]) == 2 * (N - 1)


def test_skip_does_not_take_a_bad_length_for_the_end(tmp_path: Path) -> None:
    """A length beyond the end says nothing if its CRC is wrong, which verify=False ignores."""
    path, size = tmp_path / "bad.tfrecord", len(PLAIN) // N
    for length in (size, 2**40):
        start = (N - 1) * size
        path.write_bytes(PLAIN[:start] + struct.pack("<Q", length) + PLAIN[start + 8 :])
        for verify in (True, False):
            ids, error = read(path, on_error="skip", verify=verify)
            assert ids == [*range(N - 1)]
            assert isinstance(error, RecordError)


def test_a_large_record_that_is_cut_short(tmp_path: Path) -> None:
    """What is left of it is passed without being held in memory."""
    whole = records.frame(bytes(40 << 20))
    path = tmp_path / "large.tfrecord"
    path.write_bytes(PLAIN + whole[:-1])
    report = records.Report()
    tracemalloc.start()
    found = read([path, PLAIN], on_error="skip", report=report, chunk_size=1 << 16)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == ([*range(N), *range(N)], None)
    assert report.bytes_lost == len(whole) - 1
    assert peak < 10 << 20
