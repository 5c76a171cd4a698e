"""Features that no record of a data set has, most often because a name is misspelt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset, RecordStream
from ffi_cookbook.data.records import mapped_frames as mapped
from ffi_cookbook.records import Schema

HINT = r"'lable' \(did you mean 'label'\?\)"
TYPO = Schema({"lable": "int64"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rows = ({"label": i, "rare": [1] * (i == 700), "none": []} for i in range(1200))
    records.write(tmp_path / "file", rows)
    return tmp_path / "file"


@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize("maps", [True, False])
@pytest.mark.parametrize(
    "schema",
    [
        TYPO,
        Schema({"lable": ("int64", ())}, defaults={"lable": 0}),
        Schema({}, sequence={"lable": "int64"}),
    ],
)
def test_it_is_a_warning_after_a_thousand_records(
    path: Path, schema: Schema, maps: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not maps:
        monkeypatch.setattr(mapped, "_libc", lambda: None)
    stream = RecordStream(path, schema, batch_size=100, threads=threads, shuffle=True)
    message = rf"none of the first 1\d00 records read has .*{HINT}"
    with pytest.warns(UserWarning, match=message) as found:
        sizes = [len(batch) for _ in range(2) for batch in stream]
    assert (len(found), sum(sizes)) == (1, 2400)


def test_a_small_data_set_warns_when_all_has_been_read(path: Path) -> None:
    dataset = RecordDataset(path, TYPO).take(5)
    for i in range(4):
        dataset[i]
    with pytest.warns(UserWarning, match=rf"none of the first 5 records read has .*{HINT}"):
        dataset[4]


@pytest.mark.parametrize(
    ("schema", "options"),
    [
        (Schema({"rare": "int64", "label": "int64"}), {}),
        (Schema({"label": ("int64", ())}, defaults={"label": 0}), {}),
        (Schema({"none": "int64"}), {}),
        (TYPO, {"missing": "allow"}),
    ],
)
def test_what_is_no_warning(path: Path, schema: Schema, options: Any) -> None:
    stream = RecordStream(RecordDataset(path, schema, **options).skip(300), threads=1)
    assert sum(map(len, stream)) == 900


def test_an_inferred_schema_is_right(path: Path) -> None:
    other = path.with_name("other")
    records.write(other, [{"lable": 1}])
    found = Schema.infer(other, dense=False)
    assert len(RecordDataset(path, found).__getitems__(range(1200))) == 1200
