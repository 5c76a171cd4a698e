"""Feature lists in ffi_cookbook.records: reading, gathering, schemas, and columns to write."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.__main__ import main
from ffi_cookbook.records import Schema
from support.example_proto import features
from support.nine_records import plain

pytestmark = pytest.mark.part("decode_examples", kernels=True)

SCHEMA = Schema(
    {"label": ("int64", 1), "tags": "bytes"},
    sequence={"sound": "float32", "words": "bytes", "ids": ("int64", 2), "names": ("bytes", 1)},
)
ROWS: list[dict[str, Any]] = [
    {
        "label": [i],
        "tags": [b"t"] * (i % 2),
        "sound": [[float(n) for n in range(j)] for j in range(i % 4)],
        "words": [[b"x" * j, b"y"][: j % 3] for j in range(i)],
        "ids": [[i, -j] for j in range(i % 3)],
        "names": [[b"%d.%d" % (i, j)] for j in range(i)] if i != 5 else [],
    }
    for i in range(9)
]


def encoded(row: dict[str, Any]) -> bytes:
    """Return a row as a SequenceExample, in which a step without a value has no kind."""
    context = {name: row[name] for name in row if name in ("label", "tags")}
    lists = {name: row[name] for name in row if name not in context}
    return records.frame(records.encode_sequence_example(context, lists))


FILE = b"".join(map(encoded, ROWS))


def test_lists_of_any_size_of_chunk_and_batch(backend: ModuleType) -> None:
    for chunk_size, batch_size in ((1, 4), (77, 2), (1 << 20, 100)):
        options: dict[str, Any] = {"backend": backend, "chunk_size": chunk_size}
        batches = list(records.read(io.BytesIO(FILE), SCHEMA, batch_size=batch_size, **options))
        assert plain(batches) == ROWS
    sound, ids = batches[0]["sound"], batches[0]["ids"]
    assert sound.offsets.tolist() == [0, 0, 1, 3, 6, 6, 7, 9, 12, 12]
    assert sound.values.offsets.tolist() == [0, 0, 0, 1, 1, 2, 4, 4, 4, 5, 5, 6, 8]
    assert (ids.values.shape, ids.offsets.tolist()) == ((9, 2), [0, 0, 1, 3, 3, 4, 6, 6, 7, 9])
    assert sound[7].to_list() == [[], [0.0], [0.0, 1.0]]
    assert sound[3:5].to_list() == [sound[3].to_list(), sound[4].to_list()]
    assert len(sound[5:2]) == 0
    with pytest.raises(ValueError, match="steps of 1"):
        sound[::2]


def test_lists_grow(backend: ModuleType) -> None:
    rows = [
        {"x": [[i] * (j % 3) for j in range(800 * i)], "y": [[b"z" * 40_000]] * i} for i in range(5)
    ]
    file = b"".join(map(encoded, rows))
    schema = Schema({}, sequence={"x": "int64", "y": "bytes"})
    for batch_size in (2, 100):
        batches = records.read(file, schema, backend=backend, batch_size=batch_size)
        assert plain(batches) == rows
    spans = records.index(file)[::-1]
    assert plain([records.gather(file, spans, schema, backend=backend)]) == rows[::-1]


@pytest.mark.part("decode_examples")
def test_lists_are_gathered(backend: ModuleType, tmp_path: Path) -> None:
    """The spans of their bytes are those of the file."""
    path, order = tmp_path / "file", [7, 1, 4, 7]
    path.write_bytes(FILE)
    spans = records.index(path)[order]
    places = Schema({}, sequence={"names": ("span", 1)})
    for source in (path, FILE):
        batch = records.gather(source, spans, SCHEMA, backend=backend)
        assert plain([batch]) == [ROWS[i] for i in order]
        found = plain([records.gather(source, spans, places, backend=backend)])
        names = [[[FILE[a : a + n] for a, n in step] for step in row["names"]] for row in found]
        assert names == [ROWS[i]["names"] for i in order]


# ---- columns ----------------------------------------------------------------------------------


def written(tmp_path: Path, columns: Any) -> bytes:
    with records.Writer(tmp_path / "columns") as writer:
        writer.write_columns(columns)
    return (tmp_path / "columns").read_bytes()


def test_columns_are_written_as_they_are_read(tmp_path: Path) -> None:
    for schema in (SCHEMA, Schema({"label": ("int64", 1), "tags": "bytes"})):
        (batch,) = records.read(FILE, schema)
        assert plain(records.read(written(tmp_path, batch), schema)) == plain([batch])
    spans = Schema({}, sequence={"names": "span"})
    with pytest.raises(TypeError, match="names"):
        written(tmp_path, next(records.read(FILE, spans)))


def test_columns_from_the_user(tmp_path: Path) -> None:
    columns = {
        "label": np.arange(2),
        "pixels": np.arange(8, dtype=np.float64).reshape(2, 2, 2),
        "name": ["é", b""],
    }
    file = written(tmp_path, columns)
    found = [features(file[at : at + size]) for at, size in records.index(file).tolist()]
    assert [row["label"] for row in found] == [("int64", [0]), ("int64", [1])]
    assert [row["name"] for row in found] == [("bytes", ["é".encode()]), ("bytes", [b""])]
    assert found[1]["pixels"] == ("float32", [4, 5, 6, 7])
    with pytest.raises(ValueError, match="same length"):
        written(tmp_path, {**columns, "more": [1]})
    assert written(tmp_path, {}) == written(tmp_path, {"none": []}) == b""


# ---- schemas ----------------------------------------------------------------------------------


def test_schemas_with_lists(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILE)
    found = Schema.infer(path)
    assert (found.fields, sorted(found.sequence)) == (SCHEMA.fields, sorted(SCHEMA.sequence))
    again = pickle.loads(pickle.dumps(SCHEMA))
    assert eval(repr(SCHEMA), {"Schema": Schema}) == SCHEMA == again
    assert hash(again) == hash(SCHEMA)
    assert Schema({}, sequence={"a": "int64"}) != Schema({"a": "int64"})
    assert SCHEMA.names == ("label", "tags", "sound", "words", "ids", "names")
    assert main(["inspect", str(path)]) == 0
    assert repr(found) in capfd.readouterr().out
