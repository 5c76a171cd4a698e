"""Costs of a binding other than the time of a call are measured correctly."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import beyond
from benchmarks.ledger.beyond import sizes, threads
from benchmarks.report import tables
from support.backends import missing


def test_a_library_is_stripped_in_a_copy() -> None:
    folder = Path(ffi_cookbook.__file__).parent / "bindings" / "capi"
    library = next(folder.glob("matmul*.so"), None)
    if library is None:
        missing("the capi binding")
    before = library.read_bytes()
    stripped = sizes.stripped(library)
    if stripped is None:
        missing("strip")
    assert 0 < stripped <= len(before)
    assert library.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/home/ffi-cookbook/.venv/lib/site-packages/bindings/capi/matmul.so", True),
        ("/home/ffi-cookbook/.venv/lib/site-packages/ffi_cookbook_pyo3/it.so", True),
        ("/home/ffi-cookbook/.venv/lib/site-packages/cuda/bindings/driver.so", False),
    ],
)
def test_only_other_packages_are_dependencies(path: str, own: bool) -> None:
    assert sizes.is_own("capi", Path(path)) is own


def test_requirements_are_followed_but_not_into_extras() -> None:
    assert set(sizes.requirements("cffi")) == {"cffi", "pycparser"}


def test_an_import_brings_files_and_takes_time() -> None:
    (own,) = beyond._imported("python")
    assert any(path.endswith("bindings/python/matmul.py") for path in own["files"])
    assert not any("ffi_cookbook/records/" in path for path in own["files"])
    found = beyond._imports(["python", "numpy"], 2)
    for binding in ("python", "numpy"):
        assert len(found[binding]["warm"]) == 2
        assert min(found[binding]["warm"]) > 0


def test_threads_scale_unless_they_wait_for_each_other() -> None:
    def one_at_a_time(lock: Lock = Lock()) -> None:  # noqa: B008
        with lock:
            time.sleep(0.01)

    def speedup(work: Any) -> float:
        times = threads.beside([work] * 4, 3, 0.02)
        of = {"threads": 4, **{name: [rounds] for name, rounds in times.items()}}
        return float(threads.speedup(of).value)

    assert speedup(partial(time.sleep, 0.01)) > 2
    assert speedup(one_at_a_time) < 1.5


def test_the_tables_show_what_was_measured(results: Any) -> None:
    assert tables.beyond(results) == []
    times = {"threads": 2, "one": [[1.0, 1.0]], "all": [[1.25, 1.25]]}
    found = {
        "sizes": {"own": {"a.so": [3000, 2000]}, "support": {}, "required": {"t": 7_000_000}},
        "imports": {"warm": [0.002, 0.003], "technology": [2.0]},
    }
    results.beyond = {"capi": found, "torch": {**found, "scaling": {"decode": times}}}
    json.dumps(results.beyond)
    whole, scaling = tables.beyond(results)
    assert [figure.value for figure in whole.rows[0][1]] == ["2.1", "2", "7"]
    assert [(binding, figures[0].value) for binding, figures in scaling.rows] == [("torch", "1.6")]
