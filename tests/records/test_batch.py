"""A batch: a Mapping, with a method for each kind of column, and with rows."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from support.backends import needs
from support.nine_records import FILE, SCHEMA, plain
from support.record_kernels import parts


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> records.Batch:
    path = tmp_path_factory.mktemp("batch") / "a.tfrecord"
    rows: list[dict[str, Any]] = [
        {"x": [float(i), 0.5], "ids": list(range(i)), "word": "ä" * i, "tags": [b"\xff"] * i}
        for i in range(4)
    ]
    records.write(path, rows)
    schema = records.Schema(
        {"x": ("float32", (1, 2)), "ids": "uint16", "word": ("bytes", ()), "tags": "bytes"}
    )
    (found,) = records.read(path, schema)
    return found


def test_a_batch_is_a_mapping(batch: records.Batch) -> None:
    assert isinstance(batch, Mapping)
    assert list(batch) == ["x", "ids", "word", "tags"]
    assert (len(batch), len(list(batch.values())), batch.get("none")) == (4, 4, None)
    again = pickle.loads(pickle.dumps(batch))
    assert again["ids"].to_list() == [[], [0], [0, 1], [0, 1, 2]]
    assert batch == batch  # and no comparison of arrays
    assert batch != again
    assert {batch: 1}[batch] == 1


def test_a_column_of_known_kind(batch: records.Batch) -> None:
    assert batch.dense("x").shape == (4, 1, 2)
    matrix, mask = batch.padded("ids", fill=9)
    assert matrix.tolist() == [[9, 9, 9], [0, 9, 9], [0, 1, 9], [0, 1, 2]]
    assert mask.sum(1).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("method", "name", "error", "match"),
    [
        ("dense", "ids", TypeError, "'ids' is a Ragged, not dense numbers"),
        ("padded", "x", TypeError, "'x' is dense numbers, which need no padding"),
        ("dense", "none", KeyError, "none"),
    ],
)
def test_another_kind_is_refused(
    batch: records.Batch, method: str, name: str, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        getattr(batch, method)(name)


def test_rows(batch: records.Batch) -> None:
    rows = list(batch.rows())
    assert [row["ids"].tolist() for row in rows] == [[], [0], [0, 1], [0, 1, 2]]
    assert rows[2]["x"].tolist() == [[2.0, 0.5]]
    assert (rows[1]["word"], rows[2]["tags"]) == (["ä".encode()], [b"\xff"] * 2)
    assert list(records.Batch(records.Schema({}), {}, 2).rows()) == [{}, {}]


def test_a_column_that_is_not_there(batch: records.Batch) -> None:
    """A DataLoader without a collate_fn asks a batch for item 0."""
    with pytest.raises(KeyError, match=r"a batch of .*word.* has no column 'words'\"$"):
        batch["words"]
    with pytest.raises(KeyError, match=r"no column 0; a DataLoader needs a collate_fn, such as .*"):
        batch[0]


def test_a_batch_is_not_a_record(batch: records.Batch, tmp_path: Path) -> None:
    with (
        records.Writer(tmp_path / "a") as writer,
        pytest.raises(TypeError, match="record must not be a Batch, which write_columns takes"),
    ):
        writer.write(batch)


# ---- tables of other libraries ----------------------------------------------------------------

LISTS = records.Schema(
    {"n": ("uint16", 3), "b": "span"},
    sequence={"sound": "float32", "words": "bytes", "two": ("int32", 2)},
)
SEQUENCE = records.encode_sequence_example(
    {"n": [1, 2, 3], "b": [b"xyz", b""]},
    {"sound": [[0.5], [], [1.5, 2.5]], "words": [[b"a", b""], [b"bc"]], "two": [[1, 2], [3, 4]]},
)
BOTH = [(FILE, SCHEMA), (records.frame(SEQUENCE) * 3, LISTS)]


def assert_shared(column: Any, arrow: Any) -> None:
    """Check that an Arrow array, with its items, lies in the memory of a column."""
    if isinstance(column, np.ndarray):
        while hasattr(arrow, "flatten") and arrow.type.num_fields:
            arrow = arrow.flatten()
        assert arrow.buffers()[-1].address == column.ctypes.data
        return
    assert arrow.buffers()[1].address == column.offsets.ctypes.data
    if isinstance(column, records.Ragged):
        assert_shared(column.values, arrow.values)
    else:
        found = [buffer.address for buffer in arrow.values.buffers()[1:]]
        assert found == [column.value_offsets.ctypes.data, column.data.ctypes.data]


@pytest.mark.parametrize(("file", "schema"), BOTH, ids=["examples", "lists"])
def test_arrow_shares_the_memory(file: bytes, schema: records.Schema) -> None:
    needs("pyarrow")
    for batch in records.read(file, schema, backend="python", batch_size=7):
        arrow = batch.to_arrow()
        arrow.validate(full=True)
        assert arrow.to_pylist() == plain([batch])
        for name in {"ids", "tags", "pixels", "n", "b", "sound", "words"} & {*batch}:
            assert_shared(batch[name], arrow[name])


def test_the_types_of_arrow() -> None:
    pa = needs("pyarrow")
    types = {}
    for file, schema in BOTH:
        (batch,) = records.read(file, schema)
        types |= {field.name: field.type for field in batch.to_arrow().schema}
    assert types["pixels"] == pa.list_(pa.float32(), 3)
    assert types["tags"] == pa.large_list(pa.large_binary())
    assert types["n"] == pa.list_(pa.uint16(), 3)
    assert types["sound"] == pa.large_list(pa.large_list(pa.float32()))
    assert types["two"] == pa.large_list(pa.list_(pa.int32(), 2))


def test_pandas_and_datasets(batch: records.Batch) -> None:
    pa, datasets = needs("pyarrow"), needs("datasets")
    needs("pandas")
    (nine,) = records.read(FILE, SCHEMA)
    frame = nine.to_pandas()
    assert np.shares_memory(frame["label"].to_numpy(), nine["label"])
    assert [list(row) for row in frame["ids"]] == nine["ids"].to_list()
    assert np.array_equal(batch.to_pandas()["ids"][2], [0, 1])
    assert datasets.Dataset(pa.Table.from_batches([batch.to_arrow()]))[3]["ids"] == [0, 1, 2]


@pytest.mark.parametrize(("file", "schema"), BOTH, ids=["examples", "lists"])
def test_torch_shares_the_memory(file: bytes, schema: records.Schema) -> None:
    needs("torch")
    (batch,) = records.read(file, schema)
    for name, tensors in batch.to_torch().items():
        found = tensors if isinstance(tensors, tuple) else (tensors,)
        assert [part.tolist() for part in found] == [part.tolist() for part in parts(batch[name])]
        assert found[0].data_ptr() == parts(batch[name])[0].ctypes.data


@pytest.mark.parametrize(("file", "schema"), BOTH, ids=["examples", "lists"])
def test_a_batch_pickles_without_its_spare_memory(file: bytes, schema: records.Schema) -> None:
    (batch,) = records.read(file, schema, backend="python")
    pickled = pickle.dumps(batch)
    assert len(pickled) < 8192
    assert plain([pickle.loads(pickled)]) == plain([batch])
