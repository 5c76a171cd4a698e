"""The study of readers checks what other libraries decode and reports what was measured."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from measured import part, rows


@pytest.fixture
def parts() -> dict[str, Any]:
    speeds = {"loop in C": [1e7, 1e7], "capi": [1e7, 9e6], "cython": [3e6, 3e6]}
    package = {"tfrecord": [5e4, 5e4], "capi": [1e7, 9e6], "cython": [3e6, 3e6]}
    pairs = {"capi, one": [1.0, 2.0], "capi, two": [2.0, 3.0], "cython, one": [1.0, 1.0]}
    scan = {"memory read": [1e10, 1e10], "capi": [8e9, 9e9]}
    found = dict.fromkeys(("examples", "tokens", "sequences", "gathers"), speeds)
    loading = {"stream, 1 thread": [1e6, 1e6], "tfrecord": [5e4, 4e4], "WebDataset": [6e3, 5e3]}
    found |= {"package": package, "scan": scan, "threads": pairs, "loading": loading}
    found["ray"] = {"bindings.data.ray": [1e6, 2e6], "ray.data.read_tfrecords": [1e3, 2e3]}
    backends = ("capi", "cython")
    return {name: part({"speeds": one}, {}, backends) for name, one in found.items()}


def shown(parts: dict[str, Any], name: str) -> dict[str, list[str]]:
    return rows(import_module("readers.pages").shown(parts, name))


def test_ratios_are_round_by_round(parts: dict[str, Any]) -> None:
    assert shown(parts, "examples")["capi"] == ["9.50 (9.25–9.75)", "0.95 × (0.93–0.97)"]
    assert shown(parts, "threads") == {
        "two threads": ["of one"], "---": ["--:"], "capi": ["1.75 × (1.62–1.88)"], "cython": ["–"]
    }  # fmt: skip


def test_a_missing_contender_has_a_dash(parts: dict[str, Any]) -> None:
    assert shown(parts, "package")["cython"] == ["3.00 (3.00–3.00)", "60.0 × (60.0–60.0)", "–"]
    del parts["examples"]["found"]["speeds"]["loop in C"]
    assert shown(parts, "examples")["capi"] == ["9.50 (9.25–9.75)", "–"]


def test_goals_that_are_reached_are_marked(parts: dict[str, Any]) -> None:
    table = rows(import_module("readers.goals").reached(parts))
    assert table["Examples, of the loop in C"] == ["≥ 0.97 ×", "0.95", "0.30"]
    assert table["Examples, beside `tfrecord`"] == ["≥ 150 ×", "190 ✓", "60.0"]
    assert table["scan, of the memory read"] == ["≥ 0.80 ×", "0.85 ✓", "–"]
    assert table["gathered, million records/s"] == ["≥ 8.00", "9.50 ✓", "3.00"]


def test_every_part_can_be_missing(parts: dict[str, Any]) -> None:
    pages, goals = import_module("readers.pages"), import_module("readers.goals")
    assert parts.keys() == import_module("readers.jobs").JOBS.keys()
    for name in list(parts):
        del parts[name]
        assert pages.shown(parts, name) == "Not measured."
        goals.reached(parts)


def test_libraries_decode_what_we_do(tmp_path: Path) -> None:
    calls, absent = import_module("readers.libraries").libraries(tmp_path)
    assert calls.keys() == {"tfrecord", "protobuf"}
    assert absent == {}


def test_a_library_that_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries = import_module("readers.libraries")
    right = libraries.BASELINES["records"]["protobuf"]

    def wrong(inputs: Any, sample: bool) -> Any:
        job = right(inputs, sample)["records decode"]
        found = job.result()
        found["dense"][7, 3] = np.nextafter(found["dense"][7, 3], np.float32(2))
        return {"records decode": SimpleNamespace(result=lambda: found, names=job.names)}

    monkeypatch.setitem(libraries.BASELINES["records"], "protobuf", wrong)
    with pytest.raises(AssertionError, match="protobuf"):
        libraries.libraries(tmp_path)


def test_a_library_that_is_absent_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(inputs: Any, sample: bool) -> Any:
        raise ImportError("No module named 'tfrecord'")

    libraries = import_module("readers.libraries")
    monkeypatch.setitem(libraries.BASELINES["records"], "tfrecord", absent)
    calls, missing = libraries.libraries(tmp_path)
    assert calls.keys() == {"protobuf"}
    assert missing == {"tfrecord": "No module named 'tfrecord'"}


LOADERS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from readers import loaders

loaders.SAMPLES = 600
calls, absent = loaders.loaders(Path(sys.argv[2]))
assert absent.keys() <= {"mosaicml", "tensorflow"}, absent
wanted = {"stream, 1 thread", "stream, 2 processes", "tfrecord", "WebDataset", "HF datasets"}
assert calls.keys() >= wanted, calls
for call, amount in calls.values():
    assert amount == 600
    call()
"""


def test_loaders_hand_out_what_was_written(tmp_path: Path) -> None:
    """In a process of its own: some of the libraries leave files open."""
    folder = Path(import_module("readers.loaders").__file__ or "").parents[1]
    command = [sys.executable, "-P", "-W", "ignore", "-c", LOADERS, str(folder), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr


def test_a_loader_that_is_wrong_or_absent_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaders = import_module("readers.loaders")
    monkeypatch.setattr(loaders, "SAMPLES", 4)

    def _tfrecord(folder: Path, x: Any) -> Any:
        return {"tfrecord": lambda: iter([(np.arange(3), x[:3]), (np.array([2]), x[3:])])}

    def _streams(folder: Path, x: Any) -> Any:
        raise ImportError("No module named 'torch'")

    for name in ("_streams", "_torch", "_webdataset", "_mosaicml", "_datasets", "_tensorflow"):
        monkeypatch.setattr(loaders, name, _streams)
    monkeypatch.setattr(loaders, "_tfrecord", _tfrecord)
    with pytest.raises(AssertionError, match="tfrecord"):
        loaders.loaders(tmp_path)
    monkeypatch.setattr(loaders, "_tfrecord", _streams)
    assert loaders.loaders(tmp_path) == ({}, {"streams": "No module named 'torch'"})


def test_the_page_says_what_was_measured() -> None:
    for path, text in import_module("readers.pages").written().items():
        assert path.read_text("utf-8") == text, "run: python benchmarks/splice.py"


def test_the_study_of_scale_reads_every_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scale = import_module("readers.scale")
    small = {"STEPS": 2, "STEP": 0, "SHARDS": 3, "SHARD_RECORDS": 70, "DRAWS": 1, "DRAWN": 100}
    for name, value in small.items():
        monkeypatch.setattr(scale, name, value)
    found = scale.measured(tmp_path)
    assert all(figure >= 0 for (figure,) in found.values())
    assert found["waited"][0] <= 100
    table = rows(scale.shown({name: [1.5] for name in found}))
    for one in scale.WANTED.values():
        assert table[one.what] == [f"< {one.below:,}{one.unit}", f"1.50{one.unit}"]
    assert import_module("readers.pages").shown({}, "scale") == "Not measured."
