"""The study of readers on Ray compares what is handed out, and hands out all records."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(BENCHMARKS)
    found = import_module("readers.on_ray")
    monkeypatch.setattr(found, "RECORDS", 64)
    monkeypatch.setattr(found, "COPIES", 2)
    monkeypatch.setattr(found, "_of_ray", found._ours)  # which needs no TensorFlow
    yield found
    ray.shutdown()


def test_each_reader_has_its_files(study: Any, tmp_path: Path) -> None:
    calls, absent = study.on_ray(tmp_path)
    assert absent == {}
    assert {name: amount for name, (_, amount) in calls.items()} == {
        study.OURS: 64 * 2 * 4,
        study.OF_RAY: 64 * 2,
    }
    for call, amount in calls.values():
        assert call() == amount


def test_a_reader_that_is_wrong_is_found(
    study: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study, "_of_ray", lambda: partial(study._ours(), rows=(1, 64)))
    with pytest.raises(AssertionError, match="dense"):
        study.on_ray(tmp_path)


def test_a_reader_that_is_absent_is_named(
    study: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> Any:
        raise ImportError("No module named 'tensorflow'")

    monkeypatch.setattr(study, "_of_ray", absent)
    assert study.on_ray(tmp_path) == ({}, {"ray": "No module named 'tensorflow'"})
