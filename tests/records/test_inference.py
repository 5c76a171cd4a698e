"""An inferred schema reads its own files, and a warning names the features without a kind."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.records import Schema
from support.nine_records import plain

Rows = list[dict[str, Any]]


def file_of(rows: Rows) -> bytes:
    return b"".join(records.frame(records.encode_example(row)) for row in rows)


@pytest.mark.part("decode_examples")
def test_what_only_later_records_lack(backend: ModuleType) -> None:
    """A feature is dense only if every record has it, not only the sampled ones."""
    rows: Rows = [{"i": 1, "pair": [1.0, 2.0], "always": b"x"} for _ in range(30)]
    rows += [{"j": 1, "pair": [1.0, 2.0], "always": b""}, {"i": 1, "pair": [1.0], "always": b"x"}]
    source = file_of(rows)
    schema = Schema.infer(source, records=10, backend=backend)
    assert schema == Schema({"always": ("bytes", 1), "i": "int64", "pair": "float32"})
    (batch,) = records.read(source, schema, backend=backend)
    assert batch["i"].to_list() == [row.get("i", []) and [1] for row in rows]
    whole = Schema.infer(source, records=None)
    assert whole.names == ("always", "i", "j", "pair")
    assert Schema.infer(source, records=10, dense=False) == Schema(
        {"always": "bytes", "i": "int64", "pair": "float32"}
    )


def test_feature_lists_are_proven_too() -> None:
    def clip(steps: list[list[int]]) -> bytes:
        return records.frame(records.encode_sequence_example({"n": 1}, {"s": steps}))

    source = clip([[1], [2]]) * 5 + clip([[1, 2], [3]])
    schema = Schema.infer(source, records=2)
    assert schema == Schema({"n": ("int64", 1)}, sequence={"s": "int64"})
    assert sum(map(len, records.read(source, schema))) == 6


def test_several_files_make_one_schema(tmp_path: Path) -> None:
    """The schemas of files merge, in every way of passing the files.

    Each file can be read with the result, even one that lacks a ragged feature.
    """
    shards: list[Rows] = [
        [{"label": 1, "ids": [1]}] * 3,
        [{"label": 2, "ids": [1, 2]}] * 3,
        [{"label": 3, "extra": b"x"}] * 2,
    ]
    for i, rows in enumerate(shards):
        (tmp_path / f"{i}.gz").write_bytes(gzip.compress(file_of(rows)))
    paths = [tmp_path / f"{i}.gz" for i in range(3)]
    wanted = Schema({"extra": "bytes", "ids": "int64", "label": ("int64", 1)})
    for source in (paths, tmp_path / "*.gz", (str(path) for path in paths)):
        assert Schema.infer(source) == wanted
    schema = pickle.loads(pickle.dumps(Schema.infer(paths)))
    for path, rows in zip(paths, shards, strict=True):
        assert [row["label"] for row in plain(records.read(path, schema))] == [
            [row["label"]] for row in rows
        ]
    (tmp_path / "3.gz").write_bytes(file_of([{"label": 0.5}]))
    with pytest.raises(
        ValueError, match=r"3\.gz: record 0: feature 'label' is float32 here .*0\.gz"
    ):
        Schema.infer(tmp_path / "*.gz")


def test_what_has_no_kind() -> None:
    with pytest.warns(UserWarning, match="no record that was examined has a value of 'b'"):
        assert Schema.infer(file_of([{"a": 1, "b": []}])) == Schema({"a": ("int64", 1)})
    name = b"\x0a\x0c\x0a\x0a\x0a\x01\xff\x12\x05\x1a\x03\x0a\x01\x05"
    with pytest.warns(UserWarning, match=r"'\\udcff'"):
        schema = Schema.infer(records.frame(records.encode_example({"a": 1}) + name))
    assert schema == Schema({"a": "int64"}) or schema == Schema({"a": ("int64", 1)})


@pytest.mark.parametrize("payload", [b"\x09" + bytes(8), b"\x0a\x04\x0a\x02\x0a\x00", b"\x10\x05"])
def test_other_messages(payload: bytes, tmp_path: Path) -> None:
    """Records that hold other messages have no schema."""
    path = tmp_path / "events"
    path.write_bytes(records.frame(payload) * 3)
    with pytest.raises(ValueError, match=r"events: .*3 records .*records\.raw"):
        Schema.infer(path)


def test_where_it_fails_is_said(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(file_of([{"a": 1}]) + records.frame(b"\x0a\x05"))
    with pytest.raises(ValueError, match=r"file: record 1: not a tf\.train\.Example"):
        Schema.infer(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="file: a file without records"):
        Schema.infer(path)


def test_a_policy() -> None:
    source = bytearray(file_of([{"a": i} for i in range(20)]))
    spans = records.index(source)
    source[spans[3, 0]] ^= 1
    source[spans[15, 0]] ^= 1
    with pytest.raises(records.RecordError):
        Schema.infer(source, records=2)
    report = records.Report()
    assert Schema.infer(source, records=10, on_error="skip", report=report) == Schema(
        {"a": ("int64", 1)}
    )
    assert report.count == 2


def test_values_that_merge() -> None:
    """Two values of an entry merge as in protobuf; a key of another wire type is skipped."""
    value, other = b"\x12\x05\x1a\x03\x0a\x01\x05", b"\x12\x05\x1a\x03\x0a\x01\x07"
    entry = b"\x0a\x01a\x08\x05" + value + other + b"\x15\x00\x00\x00\x00"
    features = b"\x0a" + bytes([len(entry)]) + entry
    source = records.frame(b"\x0a" + bytes([len(features)]) + features)
    schema = Schema.infer(source)
    assert schema == Schema({"a": ("int64", 2)})
    assert plain(records.read(source, schema)) == [{"a": [5, 7]}]
