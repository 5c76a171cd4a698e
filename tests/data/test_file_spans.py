"""Parts of files: together they are every record, once, with the errors of reading the whole."""

from __future__ import annotations

import gzip
import json
import pickle
import random
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.data import FileSpan, spans
from support.backends import needs

SCHEMA = records.Schema({"n": ("int64", ()), "text": ("bytes", ())})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    random.seed(1)
    for file, (first, end) in enumerate([(0, 40), (40, 41), (41, 100)]):
        rows = ({"n": n, "text": b"x" * random.randrange(300)} for n in range(first, end))
        records.write(tmp_path / f"{file}.tfrecord", rows)
    records.write(tmp_path / "3.tfrecord", [])
    return tmp_path / "*.tfrecord"


def numbers(parts: Iterable[FileSpan], **options: Any) -> list[int]:
    batches = chain.from_iterable(part.read(SCHEMA, **options) for part in parts)
    return [n for batch in batches for n in batch.dense("n").tolist()]


@pytest.mark.parametrize("span_bytes", [1, 500, 5000, 1 << 20])
def test_parts_are_all_records_in_order(files: Path, span_bytes: int) -> None:
    parts = spans(files, span_bytes=span_bytes)
    assert numbers(parts) == list(range(100))
    assert [part.records for part in parts] == [len(numbers([part])) for part in parts]
    assert len(parts) == {1: 100, 1 << 20: 3}.get(span_bytes, len(parts))
    assert all(part.size >= span_bytes or len(parts) < 4 for part in parts[:1])


def test_a_part_is_a_few_numbers(files: Path) -> None:
    parts = spans(files, span_bytes=2000)
    assert numbers(pickle.loads(pickle.dumps(parts))) == list(range(100))
    assert numbers(FileSpan(*part) for part in json.loads(json.dumps(parts))) == list(range(100))


def test_a_compressed_file_is_one_part(files: Path, tmp_path: Path) -> None:
    path = tmp_path / "all.gz"
    records.write(path, ({"n": n, "text": b"y"} for n in range(100)), compression="gzip")
    (part,) = spans(path, span_bytes=1)
    assert (part.end, part.records, part.size) == (None, None, path.stat().st_size)
    assert numbers([part]) == list(range(100))


def test_files_at_a_url(files: Path) -> None:
    needs("fsspec")
    plain, packed = files.parent / "0.tfrecord", files.parent / "packed"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    for path in (plain, packed):
        parts = spans(path.as_uri(), span_bytes=900)
        assert numbers(parts) == list(range(40))
        assert sum(part.size for part in parts) == path.stat().st_size


@pytest.mark.parametrize("some", [slice(None, None, -1), slice(10), slice(5, None), slice(0)])
def test_an_index_of_some_records_is_not_used(tmp_path: Path, files: Path, some: slice) -> None:
    """A part has all records of its bytes, which `read` returns in the order of the file."""
    path = tmp_path / "0.tfrecord"
    records.save_index(path, records.index(path)[some])
    parts = spans(path, span_bytes=900)
    assert numbers(parts) == list(range(40))
    assert [part.records for part in parts] == [len(numbers([part])) for part in parts]


@pytest.mark.parametrize("packed", [False, True])
def test_a_misspelt_feature_is_a_warning(tmp_path: Path, packed: bool) -> None:
    path, schema = tmp_path / "file", records.Schema({"n": ("int64", ()), "texts": "bytes"})
    rows = [{"n": n, "text": b"x"} for n in range(30)]
    records.write(path, rows, compression="gzip" if packed else None)
    for part in spans(path, span_bytes=1 if packed else 300):
        with pytest.warns(UserWarning, match=r"'texts' \(did you mean 'text'\?\)"):
            list(part.read(schema))
        assert sum(map(len, part.read(schema, missing="allow"))) == (part.records or 30)


@pytest.mark.parametrize("place", [0.0, 0.35, 0.99])
@pytest.mark.parametrize("on_error", ["raise", "skip", "resync"])
def test_damage_is_that_of_the_whole_file(tmp_path: Path, place: float, on_error: Any) -> None:
    path = tmp_path / "bad.tfrecord"
    records.write(path, ({"n": n, "text": b"z" * 90} for n in range(50)))
    data = bytearray(path.read_bytes())
    offset, size = records.index(path)[int(place * 50)]
    data[offset + size - 1] ^= 1
    path.write_bytes(data)
    parts = spans(path, span_bytes=1000, on_error=on_error)
    if on_error != "raise":
        report, whole = records.Report(), records.Report()
        expected = [
            n
            for batch in records.read(path, SCHEMA, on_error=on_error, report=whole)
            for n in batch.dense("n").tolist()
        ]
        assert numbers(parts, on_error=on_error, report=report) == expected
        assert len(expected) == 49
        lost = [(loss.start, loss.end) for loss in whole.losses]
        assert [(loss.start, loss.end) for loss in report.losses] == lost
        return
    with pytest.raises(RecordError) as whole_error:
        list(records.read(path, SCHEMA))
    with pytest.raises(RecordError) as error:
        numbers(parts)
    assert str(error.value) == str(whole_error.value)


def test_a_damaged_length_cannot_be_divided_but_resynchronised(tmp_path: Path) -> None:
    path = tmp_path / "bad.tfrecord"
    records.write(path, ({"n": n, "text": b"z" * 90} for n in range(50)))
    data = bytearray(path.read_bytes())
    for number in (0, 20, 21):
        data[records.index(path)[number][0] - 12] ^= 0x40
    path.write_bytes(data)
    with pytest.raises(RecordError, match=r"bad\.tfrecord"):
        spans(path)
    parts = spans(path, span_bytes=1000, on_error="resync")
    report = records.Report()
    assert numbers(parts, on_error="resync", report=report) == [
        n for n in range(50) if n not in (0, 20, 21)
    ]
