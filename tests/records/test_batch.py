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
    assert again["ids"].to_list() == batch.ragged("ids").to_list()
    assert batch == batch  # and no comparison of arrays
    assert batch != again
    assert {batch: 1}[batch] == 1


def test_torch_converts_it_by_itself(batch: records.Batch) -> None:
    torch = needs("torch")
    (found,) = torch.utils.data.DataLoader([batch], batch_size=None)
    assert (found["x"].dtype, found["x"].shape) == (torch.float32, (4, 1, 2))
    assert found["ids"].to_list() == [[], [0], [0, 1], [0, 1, 2]]


def test_a_column_of_known_kind(batch: records.Batch) -> None:
    assert batch.dense("x").shape == (4, 1, 2)
    assert batch.ragged("ids").to_list() == [[], [0], [0, 1], [0, 1, 2]]
    assert batch.text("word") == ["", "ä", "ää", "äää"]
    matrix, mask = batch.padded("ids", fill=9)
    assert matrix.tolist() == [[9, 9, 9], [0, 9, 9], [0, 1, 9], [0, 1, 2]]
    assert mask.sum(1).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("method", "name", "error", "match"),
    [
        ("dense", "ids", TypeError, "'ids' is a Ragged, not dense numbers"),
        ("ragged", "x", TypeError, "'x' is a ndarray, not a Ragged"),
        ("padded", "x", TypeError, "'x' is dense numbers, which need no padding"),
        ("text", "x", TypeError, "'x' is a ndarray, not byte strings"),
        ("text", "tags", ValueError, "one string in each row, not 0 in row 0"),
        ("dense", "none", KeyError, "none"),
    ],
)
def test_another_kind_is_refused(
    batch: records.Batch, method: str, name: str, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        getattr(batch, method)(name)


def test_text_must_be_utf_8(tmp_path: Path) -> None:
    records.write(tmp_path / "a", [{"tags": b"\xff"}])
    (found,) = records.read(tmp_path / "a", records.Schema({"tags": "bytes"}))
    with pytest.raises(ValueError, match="'tags' has a string that is not valid UTF-8"):
        found.text("tags")


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
        batch[0]  # type: ignore[index]


def test_a_batch_is_not_a_record(batch: records.Batch, tmp_path: Path) -> None:
    with (
        records.Writer(tmp_path / "a") as writer,
        pytest.raises(TypeError, match="record must not be a Batch, which write_columns takes"),
    ):
        writer.write(batch)


def test_as_a_table(batch: records.Batch) -> None:
    pa = needs("pyarrow")
    datasets = needs("datasets")
    table = pa.Table.from_batches([batch.to_arrow()])
    assert table["ids"].to_pylist() == [[], [0], [0, 1], [0, 1, 2]]
    assert datasets.Dataset(table)[3]["ids"] == [0, 1, 2]
    assert np.array_equal(batch.to_pandas()["ids"][2], [0, 1])
