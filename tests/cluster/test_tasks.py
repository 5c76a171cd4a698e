"""The tasks that Ray is given, run one by one in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pytest
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ffi_cookbook import records
from ffi_cookbook.data import spans
from ffi_cookbook.data.ray import Encode, TFRecordDatasource, _span_bytes
from ffi_cookbook.tokenizer import Model, sample_texts, train

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own

SCHEMA = records.Schema({"n": ("int64", ()), "x": ("float32", (2, 3)), "ids": "int64"})


@pytest.fixture
def paths(tmp_path: Path) -> Path:
    for file in range(3):
        rows = (
            {"n": n, "x": np.full((2, 3), n, np.float32).reshape(-1), "ids": [n] * (n % 3)}
            for n in range(40 * file, 40 * file + 40)
        )
        records.write(tmp_path / f"{file}.tfrecord", rows)
    return tmp_path / "*.tfrecord"


def tables(source: Any, tasks: int = 4, limit: int | None = None) -> list[Any]:
    return [table for task in source.get_read_tasks(tasks, limit) for table in task()]


@pytest.mark.parametrize("span_bytes", [700, 1 << 20])
def test_tasks_read_every_record_once(paths: Path, span_bytes: int) -> None:
    source = TFRecordDatasource(spans(paths, span_bytes=span_bytes), SCHEMA, {})
    tasks = source.get_read_tasks(4)
    assert len(tasks) == (4 if span_bytes == 700 else 3)
    read = [table for task in tasks for table in task()]
    assert [n for table in read for n in table["n"].to_pylist()] == list(range(120))
    assert sum(task.metadata.num_rows for task in tasks) == 120
    assert all(table.schema.equals(tasks[0].schema) for table in read)
    x = read[0].column("x").combine_chunks().to_numpy(zero_copy_only=False)
    assert (x.shape[1:], x[5].tolist()) == ((2, 3), [[5.0] * 3] * 2)
    total = sum(table.nbytes for table in read)
    assert 0.5 < source.estimate_inmemory_data_size() / total < 2


def test_only_the_columns_that_are_wanted_are_decoded(paths: Path) -> None:
    source = TFRecordDatasource(spans(paths), SCHEMA, {})
    wanted = source.apply_projection({"n": "n"})
    assert all(table.column_names == ["n"] for table in tables(wanted))
    assert sum(len(table) for table in tables(source.apply_projection({}))) == 120
    assert tables(source)[0].column_names == ["n", "x", "ids"]


def test_a_limit_ends_a_task(paths: Path) -> None:
    assert [len(t) for t in tables(TFRecordDatasource(spans(paths), SCHEMA, {}), 3, 7)] == [7] * 3


def test_a_wrong_schema_is_an_error_before_any_task_runs(paths: Path) -> None:
    with pytest.raises(records.RecordError, match="pixels"):
        TFRecordDatasource(spans(paths), records.Schema({"pixels": ("float32", 2)}), {})


def test_a_misspelt_ragged_feature_is_an_error(paths: Path) -> None:
    with pytest.raises(ValueError, match="idz"):
        TFRecordDatasource(spans(paths), records.Schema({"n": ("int64", ()), "idz": "int64"}), {})


def test_a_part_is_decoded_in_few_tables(tmp_path: Path) -> None:
    records.write(tmp_path / "many", ({"n": n} for n in range(10_000)))
    parts, schema = spans(tmp_path / "many"), records.Schema({"n": ("int64", ())})
    assert [len(table) for table in tables(TFRecordDatasource(parts, schema, {}))] == [10_000]


@pytest.mark.parametrize(
    ("size", "part"), [(80 << 20, 10 << 20), (99, 1 << 20), (1 << 40, 64 << 20)]
)
def test_parts_are_enough_for_the_processors(
    size: int, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    monkeypatch.setattr(ray, "cluster_resources", lambda: {"CPU": 4.0})
    assert _span_bytes([size // 3, size - size // 3]) == part


def test_encode_adds_the_ids_of_each_text() -> None:
    model = Model.from_ranks(train(sample_texts(20_000), 300, "gpt2"), pattern="gpt2")
    texts = ["", "some text", "<|endoftext|>"]
    encode = Encode(model, "body", "ids")
    table = encode(pa.table({"body": texts, "n": [1, 2, 3]}))
    assert table.column_names == ["body", "n", "ids"]
    tokenizer = encode._tokenizer
    expected = [tokenizer.encode(text, disallowed_special=()).tolist() for text in texts]
    assert table["ids"].to_pylist() == expected
    assert encode(table.slice(0, 0).select(["body"]))["ids"].to_pylist() == []
