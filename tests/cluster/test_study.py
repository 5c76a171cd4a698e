"""The study of readers on Ray compares the records, and every reader returns all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

from benchmarks.studies.records import on_ray
from benchmarks.study import Setting

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Setting]:
    monkeypatch.setattr(on_ray, "RECORDS", 64)
    monkeypatch.setattr(on_ray, "COPIES", 2)
    monkeypatch.setattr(on_ray, "_of_ray", on_ray._ours)  # which needs no TensorFlow
    yield Setting({}, tmp_path)
    ray.shutdown()


def test_each_reader_has_its_files(setting: Setting) -> None:
    calls = on_ray.readers(setting)
    assert setting.absent == setting.wrong == {}
    assert {name: amount for name, (_, amount) in calls.items()} == {
        on_ray.OURS: 64 * 2 * 4,
        on_ray.OF_RAY: 64 * 2,
    }
    for call, amount in calls.values():
        assert call() == amount


def test_a_reader_that_is_wrong_is_found(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "_of_ray", lambda: partial(on_ray._ours(), rows=(1, 64)))
    on_ray.readers(setting)
    assert "dense" in setting.wrong[on_ray.OURS]


def test_a_reader_that_is_absent_is_named(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> Any:
        raise ImportError("No module named 'tensorflow'")

    monkeypatch.setattr(on_ray, "_of_ray", absent)
    assert on_ray.readers(setting) == {}
    assert setting.absent == {on_ray.OF_RAY: "No module named 'tensorflow'"}
