"""Feature lists in ffi_cookbook.records: schemas, batches, tables of other libraries, writing."""

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
    sequence={
        "sound": "float32",
        "words": "bytes",
        "ids": ("int32", 2),
        "names": ("bytes", 1),
        "places": "span",
    },
)
ROWS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (
        {"label": i, "tags": [b"t"] * (i % 2)},
        {
            "sound": [np.arange(j, dtype=np.float32) for j in range(i % 4)],
            "words": [[b"x" * j, b"y"][: j % 3] for j in range(i)],
            "ids": [[i, -j] for j in range(i % 3)],
            "names": [f"{i}.{j}" for j in range(i)] if i != 5 else [],
            "places": [[b"here" * j, b""] for j in range(i % 2)],
        },
    )
    for i in range(9)
]
DATA = [records.encode_sequence_example(*row) for row in ROWS]
FILE = b"".join(map(records.frame, DATA))
BARE = Schema(
    {"label": ("int64", 1), "tags": "bytes"},
    sequence={"sound": "float32", "words": "bytes", "ids": ("int64", 2), "names": ("bytes", 1)},
)


def expected(spans: list[list[list[list[int]]]] | None = None) -> list[dict[str, Any]]:
    rows = []
    for i, (context, lists) in enumerate(ROWS):
        row = {
            "label": [context["label"]],
            "tags": context["tags"],
            "sound": [step.tolist() for step in lists["sound"]],
            "words": lists["words"],
            "ids": lists["ids"],
            "names": [[name.encode()] for name in lists["names"]],
        }
        rows.append(row if spans is None else row | {"places": spans[i]})
    return rows


def as_bytes(rows: list[dict[str, Any]], file: bytes = FILE) -> list[dict[str, Any]]:
    """Return rows whose spans are replaced by the bytes they point to."""
    return [
        row | {"places": [[file[a : a + n] for a, n in step] for step in row["places"]]}
        for row in rows
    ]


EXPECTED = expected([row[1]["places"] for row in ROWS])


# ---- reading ----------------------------------------------------------------------------------


def test_lists_of_any_size_of_chunk_and_batch(backend: ModuleType) -> None:
    for chunk_size, batch_size in ((1, 4), (77, 2), (1 << 20, 100)):
        options: dict[str, Any] = {"backend": backend, "chunk_size": chunk_size}
        batches = list(records.read(io.BytesIO(FILE), SCHEMA, batch_size=batch_size, **options))
        assert as_bytes(plain(batches)) == EXPECTED
    (batch,) = batches
    sound, ids = batch["sound"], batch["ids"]
    assert [sound.values.values.dtype, ids.values.dtype] == [np.float32, np.int32]
    assert sound.offsets.tolist() == [0, 0, 1, 3, 6, 6, 7, 9, 12, 12]
    assert sound.values.offsets.tolist() == [0, 0, 0, 1, 1, 2, 4, 4, 4, 5, 5, 6, 8]
    assert ids.values.shape == (9, 2)
    assert ids.offsets.tolist() == [0, 0, 1, 3, 3, 4, 6, 6, 7, 9]
    assert sound[7].to_list() == [[], [0.0], [0.0, 1.0]]
    assert sound[3:5].to_list() == [sound[3].to_list(), sound[4].to_list()]
    assert len(sound[5:2]) == 0
    with pytest.raises(ValueError, match="steps of 1"):
        sound[::2]


def test_lists_grow(backend: ModuleType) -> None:
    lists = [
        {"x": [[i] * (j % 3) for j in range(800 * i)], "y": [b"z" * 40_000] * i} for i in range(5)
    ]
    file = b"".join(records.frame(records.encode_sequence_example({}, row)) for row in lists)
    schema = Schema({}, sequence={"x": "int64", "y": "bytes"})
    rows = [{"x": row["x"], "y": [[y] for y in row["y"]]} for row in lists]
    for batch_size in (2, 100):
        batches = records.read(file, schema, backend=backend, batch_size=batch_size)
        assert plain(batches) == rows
    spans = records.index(file)[::-1]
    assert plain([records.gather(file, spans, schema, backend=backend)]) == rows[::-1]


@pytest.mark.part("decode_examples")
def test_lists_are_gathered(backend: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILE)
    spans = records.index(path)[[7, 1, 4, 7]]
    for source in (path, FILE):
        batch = records.gather(source, spans, SCHEMA, backend=backend)
        assert as_bytes(plain([batch])) == [EXPECTED[i] for i in (7, 1, 4, 7)]
    dense = Schema({}, sequence={"places": ("span", 2)})
    (places,) = plain([records.gather(path, spans[2:3], dense, backend=backend)])
    assert places == {"places": []}
    (places,) = plain([records.gather(path, spans[1:2], dense, backend=backend)])
    assert [[FILE[a : a + n] for a, n in step] for step in places["places"]] == [[b"", b""]]


# ---- writing ----------------------------------------------------------------------------------


def written(tmp_path: Path, columns: Any) -> bytes:
    with records.Writer(tmp_path / "columns") as writer:
        writer.write_columns(columns)
    return (tmp_path / "columns").read_bytes()


def test_columns_are_written_as_they_are_read(tmp_path: Path) -> None:
    (batch,) = records.read(FILE, BARE)
    again = written(tmp_path, batch)
    assert plain(records.read(again, BARE)) == expected()
    context = Schema({"label": ("int64", 1), "tags": "bytes"})
    (batch,) = records.read(FILE, context)
    again = written(tmp_path, batch)
    assert plain(records.read(again, context)) == plain([batch])
    with pytest.raises(TypeError, match="places"):
        written(tmp_path, next(records.read(FILE, SCHEMA)))


def test_columns_from_the_user(tmp_path: Path) -> None:
    columns = {
        "label": np.arange(3),
        "pixels": np.arange(12, dtype=np.float64).reshape(3, 2, 2),
        "name": ["a", "é", b""],
    }
    file = written(tmp_path, columns)
    data = [file[at : at + size] for at, size in records.index(file).tolist()]
    assert [features(record) for record in data] == [
        {
            "label": ("int64", [i]),
            "pixels": ("float32", [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]),
            "name": ("bytes", [[b"a", "é".encode(), b""][i]]),
        }
        for i in range(3)
    ]
    with pytest.raises(ValueError, match="same length"):
        written(tmp_path, {**columns, "more": [1, 2]})
    assert written(tmp_path, {}) == written(tmp_path, {"none": []}) == b""


# ---- schemas ----------------------------------------------------------------------------------


def test_schemas_with_lists(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "file"
    path.write_bytes(FILE)
    found = Schema.infer(path)
    assert found.fields == BARE.fields
    assert {f.name: f[1:] for f in found.sequence} == {
        "sound": ("float32", None),
        "words": ("bytes", None),
        "ids": ("int64", 2),
        "names": ("bytes", 1),
        "places": ("bytes", 2),
    }
    for schema in (found, SCHEMA):
        assert eval(repr(schema), {"Schema": Schema}) == schema
        again = pickle.loads(pickle.dumps(schema))
        assert (again, hash(again)) == (schema, hash(schema))
    assert Schema({}, sequence={"a": "int64"}) != Schema({"a": "int64"})
    assert SCHEMA.names == ("label", "tags", "sound", "words", "ids", "names", "places")
    spec = {"context": BARE.to_feature_spec(), "lists": BARE.to_sequence_spec()}
    assert Schema.from_feature_spec(spec["context"], sequence=spec["lists"]) == BARE
    assert spec["lists"]["ids"].shape == [2]
    with pytest.raises(TypeError, match="sound"):
        BARE.to_dtype()
    assert main(["records", "inspect", str(path)]) == 0
    assert "2 in each step" in capfd.readouterr().out
