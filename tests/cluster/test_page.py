"""The programs of docs/ray.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pyarrow as pa  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pyarrow.parquet as parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pytest
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ffi_cookbook import records

PAGE = Path(__file__).parents[2] / "docs" / "ray.md"
TYPES = {"long": pa.int64(), "array<float>": pa.list_(pa.float32()), "binary": pa.binary()}


def programs(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.filterwarnings("ignore")
def test_the_programs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = programs("python")
    assert len(found) == 5
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error")
    try:
        exec(compile("\n".join(found), str(PAGE), "exec"), {"__name__": "__main__"})
    finally:
        ray.shutdown()
    assert len(parquet.read_table(tmp_path / "tokens")) == 2000


class Spark:
    """The two calls of the page, with frames of one row each; Spark itself needs Java."""

    def createDataFrame(self, rows: list[Any], columns: list[str]) -> Spark:
        self._frame = pd.DataFrame(rows, columns=columns)
        return self

    def repartition(self, count: int) -> Spark:
        self._frames = [self._frame[row : row + 1] for row in range(count)]
        return self

    def mapInPandas(
        self, function: Callable[[Iterator[Any]], Iterator[Any]], schema: str
    ) -> pa.Table:
        """Return a table of the columns, each converted to the type of the schema."""
        types = dict(pair.split() for pair in schema.split(", "))
        fields = pa.schema([(name, TYPES[kind]) for name, kind in types.items()])
        arrays = [
            [pa.Array.from_pandas(frame[field.name], type=field.type) for field in fields]
            for frame in function(iter(self._frames))
        ]
        return pa.Table.from_batches([pa.record_batch(one, schema=fields) for one in arrays])


def test_the_program_for_spark(tmp_path: Path) -> None:
    rows = [{"label": n, "x": [n / 8] * 8, "text": f"text {n}"} for n in range(100)]
    paths = [str(tmp_path / f"train-{number}") for number in range(2)]
    for number, path in enumerate(paths):
        records.write(path, rows[50 * number :][:50])
    schema = records.Schema({"label": ("int64", ()), "x": ("float32", 8), "text": ("bytes", ())})
    scope = {"records": records, "paths": paths, "schema": schema, "spark": Spark()}
    (program,) = programs("text")
    exec(compile(program, str(PAGE), "exec"), scope)
    found: Any = scope["rows"]
    assert found["label"].to_pylist() == list(range(100))
    assert found["x"].to_pylist() == [row["x"] for row in rows]
    assert found["text"].to_pylist() == [b"text %d" % n for n in range(100)]
