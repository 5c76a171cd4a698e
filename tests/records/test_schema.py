"""Schemas, and the records that encode_example writes."""

from __future__ import annotations

import gzip
import pickle
import struct
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.records import Schema
from support.nine_records import file_of, plain


def test_a_schema_is_a_value() -> None:
    schema = records.Schema({"a": "int64", "ü": ("float32", 784)})
    assert schema == records.Schema({"a": "int64", "ü": ("float32", 784)})
    assert schema != records.Schema({"ü": ("float32", 784), "a": "int64"})
    assert len({schema, pickle.loads(pickle.dumps(schema))}) == 1
    assert schema.names == ("a", "ü")
    table = struct.pack("=iiiiq", 48, 1, 3, 0, 0) + struct.pack("=iiiiq", 49, 2, 2, 1, 784)
    assert schema.buffer == table + "aü".encode()
    assert eval(repr(schema), {"Schema": records.Schema}) == schema


def test_some_features_of_a_schema() -> None:
    schema = records.Schema(
        {"a": "int64", "b": ("float32", (2, 3)), "c": ("int64", 1)},
        sequence={"s": "bytes"},
        defaults={"c": -1},
    )
    assert schema.only(["s", "b"]) == records.Schema(
        {"b": ("float32", (2, 3))}, sequence={"s": "bytes"}
    )
    assert schema.only(["c"]) == records.Schema({"c": ("int64", 1)}, defaults={"c": -1})
    assert schema.only(iter(schema.names)) == schema
    assert records.Schema({"a": "int64"}, found=True).only(["a"]).found
    assert schema.only([]).names == ()
    with pytest.raises(KeyError, match="x"):
        schema.only(["a", "x"])


@pytest.mark.parametrize(
    ("features", "error"),
    [
        ({"a": "int8"}, ValueError),
        ({"a": ("int64", -1)}, ValueError),
        ({"a": ("int64", 2**31)}, ValueError),
        ({"a": ("int64", 1.5)}, TypeError),
        ({1: "int64"}, TypeError),
        ({"a": 5}, TypeError),
        ({"a": ("int64", 2, 3)}, TypeError),
        ({"a": None}, TypeError),
    ],
)
def test_a_schema_refuses_what_no_kernel_knows(features: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="feature"):
        records.Schema(features)
    with pytest.raises(error, match="feature"):
        records.Schema({}, sequence=features)


def test_a_schema_refuses_a_list_of_no_values_and_a_name_twice() -> None:
    for features, lists in (({"a": "int64"}, {"a": "int64"}), ({}, {"a": ("int64", 0)})):
        with pytest.raises(ValueError, match="feature"):
            records.Schema(features, sequence=lists)


def test_examples_are_encoded_as_protobuf_does() -> None:
    entries = (
        "0a14 0a0161 120f 1a0d 0a0b 01 ffffffffffffffffff01",
        "0a0d 0a0162 1208 1206 0a04 0000003f",
        "0a0d 0a0163 1208 0a06 0a02c3a9 0a00",
        "0a05 0a0164 1200",
    )
    example = records.encode_example({"a": [1, -1], "b": 0.5, "c": ["é", b""], "d": []})
    assert example == bytes.fromhex("0a3b" + "".join(entries))


# ---- schemas from elsewhere -------------------------------------------------------------------


def test_a_schema_is_inferred_from_records() -> None:
    """A feature is dense only if every record has it, not only the sampled ones."""
    rows: list[dict[str, Any]] = [
        {"one": 1, "many": [0.5] * i, "always": [b"a", b"b"], "none": []} for i in range(30)
    ]
    rows += [{"one": 1, "always": [b"a", b""], "late": 1}, {"one": [1, 2], "always": [b"a", b"c"]}]
    source = file_of(rows)
    with pytest.warns(UserWarning, match="no record that was examined has a value of 'none'"):
        schema = Schema.infer(source, records=10)
    assert schema == Schema({"always": ("bytes", 2), "many": "float32", "one": "int64"})
    (batch,) = records.read(source, schema)
    assert batch["many"].to_list() == [row.get("many", []) for row in rows]
    with pytest.warns(UserWarning, match="'none'"):
        assert Schema.infer(source, records=None).names == ("always", "late", "many", "one")
    with pytest.warns(UserWarning, match="'none'"):
        found = Schema.infer(source, records=10, dense=False)
    assert found == Schema({"always": "bytes", "many": "float32", "one": "int64"})


def test_what_has_no_schema(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data, words in (
        (file_of([{"a": 1}, {"a": 0.5}]), "'a' is float32 here and int64 in record 0"),
        (b"", "file: a file without records"),
        (file_of([{"a": 1}]) + records.frame(b"\x0a\x05"), r"file: record 1: not a tf\.train\.Ex"),
        *((records.frame(data), r"not a tf\.train\.Example") for data in (b"\x0b", b"\x80")),
        (records.frame(b"\x0d\0"), r"not a tf\.train\.Example"),
        *(
            (records.frame(message) * 3, r"file: .*3 records .*records\.raw")
            for message in (b"\x09" + bytes(8), b"\x0a\x04\x0a\x02\x0a\x00", b"\x10\x05")
        ),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=words):
            Schema.infer(path)


# ---- An inferred schema reads its own files, and a warning names the features without a kind.


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
    shards: list[list[dict[str, Any]]] = [
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


def test_a_name_that_is_not_utf_8() -> None:
    name = b"\x0a\x0c\x0a\x0a\x0a\x01\xff\x12\x05\x1a\x03\x0a\x01\x05"
    with pytest.warns(UserWarning, match=r"'\\udcff'"):
        schema = Schema.infer(records.frame(records.encode_example({"a": 1}) + name))
    assert schema.names == ("a",)


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
