"""Features that records lack: misspelt names, defaults and shapes."""

from __future__ import annotations

import io
import pickle
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.records import Schema
from support.backends import needs
from support.nine_records import file_of, plain

# ---- names that no record has -----------------------------------------------------------------

IMAGES = file_of([{"image_class": i, "size": [1, 2]} for i in range(30)])
TYPO = Schema({"image_clas": "int64", "size": "int64"})


@pytest.mark.parametrize("batch_size", [None, 7, 10])
def test_a_misspelt_feature(batch_size: int | None) -> None:
    options: dict[str, Any] = {"batch_size": batch_size}
    for source in (IMAGES, io.BytesIO(IMAGES)):
        batches = records.read(source, TYPO, **options)
        message = r"no record has .*'image_clas' \(did you mean 'image_class'\?\).*'size'"
        with pytest.raises(ValueError, match=message):
            list(batches)
    (batch, *_) = records.read(IMAGES, TYPO, missing="allow", **options)
    assert batch["image_clas"].to_list() == [[]] * len(batch)
    with pytest.raises(ValueError, match="missing must be"):
        records.read(IMAGES, TYPO, missing="ignore")


@pytest.mark.part("decode_examples", kernels=True)
def test_a_rare_feature(backend: ModuleType) -> None:
    """A feature is not misspelt if a single record has it, or if all have it without a value."""
    schema = Schema({"rare": "bytes", "image_class": ("int64", 1)}, sequence={"steps": "int64"})
    late = records.encode_sequence_example({"rare": b"x", "image_class": 1}, {"steps": [[1]]})
    source = [IMAGES, IMAGES + records.frame(late), IMAGES]
    for batch_size in (5, 4096):
        batches = list(records.read(source, schema, batch_size=batch_size, backend=backend))
        assert sum(map(len, batches)) == 91
    empty = file_of([{"a": 1, "none": np.array([], np.float32)}] * 3)
    assert len(list(records.read(empty, Schema({"none": "float32"}), backend=backend))) == 1


def test_the_error_comes_early() -> None:
    """The error comes before a long file is read to its end."""
    batches = records.read(IMAGES * 40, TYPO, batch_size=1000)
    with pytest.warns(UserWarning, match="none of the first 1000 records read has .*'image_class'"):
        next(batches)
    with pytest.raises(ValueError, match="no record has"):
        list(batches)


def test_only_a_warning() -> None:
    """It comes at the end too, and wherever reading starts."""
    for start in (records.Position(), next(records.read(IMAGES, TYPO, batch_size=10)).end):
        batches = records.read(IMAGES, TYPO, batch_size=20, start=start, missing="warn")
        with pytest.warns(UserWarning, match=r"none of the first \d0 records read has"):
            assert sum(map(len, batches)) == 30 - start.record


# ---- defaults ---------------------------------------------------------------------------------

OPTIONAL = Schema(
    {"a": ("float32", 2), "b": ("bytes", 2), "c": ("int64", ()), "d": ("uint16", 1)},
    defaults={"a": 0.5, "b": ("x", b"yz"), "c": -1, "d": 9},
)
ROWS: list[dict[str, Any]] = [
    {},
    {"a": [1.0, 2.0], "b": [b"1", b"22"], "c": 5, "d": 6},
    {"b": [b"", b"3"], "d": []},
    {"a": [3.0, 4.0], "c": 7},
    {},
]


@pytest.mark.part("decode_examples", kernels=True)
@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_defaults(backend: ModuleType, batch_size: int) -> None:
    batches = list(records.read(file_of(ROWS), OPTIONAL, batch_size=batch_size, backend=backend))
    assert plain(batches) == [
        {
            "a": row.get("a", [0.5, 0.5]),
            "b": row.get("b", [b"x", b"yz"]),
            "c": row.get("c", -1),
            "d": [row.get("d") or 9],
        }
        for row in ROWS
    ]
    assert batches[0]["a"].dtype == np.float32
    assert batches[0]["c"].dtype == np.int64
    spans = records.index(file_of(ROWS))[::-1]
    assert plain([records.gather(file_of(ROWS), spans, OPTIONAL)]) == plain(batches)[::-1]


@pytest.mark.part("decode_examples", kernels=True)
@pytest.mark.parametrize("chunk_size", [50, 1 << 20])
def test_another_number_of_values(backend: ModuleType, chunk_size: int) -> None:
    """The error is the same as without a default, and the record is skipped likewise."""
    rows = [*ROWS, {"a": [1.0]}, {"b": [b""] * 3, "a": [1.0]}, {"a": [8.0, 8.0]}]
    source = file_of(rows)
    options: dict[str, Any] = {"backend": backend, "chunk_size": chunk_size}
    strict = Schema({"a": ("float32", 2)})
    with pytest.raises(RecordError) as wanted:
        list(records.read(source[records.index(source)[5, 0] - 12 :], strict, **options))
    batches = records.read(io.BytesIO(source), OPTIONAL, **options)
    assert len(next(batches)) == 5
    with pytest.raises(RecordError) as caught:
        next(batches)
    start = int(records.index(source)[5, 0])
    assert (caught.value.code, caught.value.record) == (Code.DENSE_LENGTH, 5)
    assert (caught.value.byte_offset, caught.value.field) == (start, "a")
    sizes = wanted.value.expected, wanted.value.actual
    assert (caught.value.expected, caught.value.actual) == sizes
    report = records.Report()
    batches = records.read(source, OPTIONAL, on_error="skip", report=report, **options)
    assert plain(batches)[5:] == [{"a": [8.0, 8.0], "b": [b"x", b"yz"], "c": -1, "d": [9]}]
    assert [loss.error.record for loss in report.losses] == [5, 6]
    with pytest.raises(RecordError, match="'a'") as caught:
        records.gather(source, records.index(source), OPTIONAL, backend=backend)
    assert (caught.value.expected, caught.value.actual) == sizes


def test_what_cannot_be_a_default() -> None:
    for features, defaults, error in (
        ({"a": "int64"}, {"a": 0}, ValueError),
        ({"a": ("span", 1)}, {"a": b""}, ValueError),
        ({"a": ("int64", 3)}, {"a": [1, 2]}, ValueError),
        ({"a": ("uint16", 1)}, {"a": -1}, ValueError),
        ({"a": ("int64", 1)}, {"a": 0.5}, TypeError),
        ({"a": ("bytes", 1)}, {"a": 5}, TypeError),
        ({"a": ("float32", 1)}, {"a": "x"}, TypeError),
        ({"a": ("float32", 1)}, {"a": 1e300}, ValueError),
        ({"a": ("int64", 1)}, {"b": 1}, ValueError),
    ):
        with pytest.raises(error, match="feature"):
            Schema(features, defaults=defaults)


def test_a_schema_with_defaults_is_a_value() -> None:
    assert pickle.loads(pickle.dumps(OPTIONAL)) == OPTIONAL
    assert hash(pickle.loads(pickle.dumps(OPTIONAL))) == hash(OPTIONAL)
    assert eval(repr(OPTIONAL), {"Schema": Schema}) == OPTIONAL
    plain_schema = Schema({"a": ("int64", 1)})
    assert plain_schema != Schema({"a": ("int64", 1)}, defaults={"a": 1})
    assert plain_schema != Schema({"a": ("int64", ())})
    assert plain_schema == Schema({"a": ("int64", (1,))}) == Schema([("a", ["int64", 1])])


# ---- shapes -----------------------------------------------------------------------------------


def test_shapes() -> None:
    schema = Schema(
        {"image": ("float", (2, 3)), "label": ("int64", ()), "name": ("string", ())},
        sequence={"boxes": ("float32", (2, 2))},
    )
    steps = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    context = {"image": np.arange(6.0), "label": 7, "name": "n"}
    source = records.frame(records.encode_sequence_example(context, {"boxes": steps}))
    (batch,) = records.read(source * 2, schema)
    assert batch["image"].shape == (2, 2, 3)
    assert batch["label"].tolist() == [7, 7]
    assert batch["boxes"].values.shape == (4, 2, 2)
    needs("pyarrow")
    (row, _) = batch.to_arrow().to_pylist()
    assert (row["label"], row["name"], row["image"]) == (7, b"n", list(range(6)))


# ---- sizes ------------------------------------------------------------------------------------


def test_a_batch_is_bounded_in_bytes() -> None:
    source = records.frame(records.encode_example({"image": bytes(3 << 20)})) * 30
    schema = Schema({"image": ("bytes", 1)})
    sizes = [len(batch) for batch in records.read(source, schema)]
    assert sum(sizes) == 30
    assert 10 <= max(sizes) <= 16
    assert [len(batch) for batch in records.read(source, schema, batch_size=25)] == [25, 5]
