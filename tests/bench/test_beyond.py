"""Costs of a binding other than the time of a call are measured correctly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import beyond
from benchmarks.report import tables
from support.backends import missing


def test_a_library_is_stripped_in_a_copy() -> None:
    folder = Path(ffi_cookbook.__file__).parent / "bindings" / "capi"
    library = next(folder.glob("matmul*.so"), None)
    if library is None:
        missing("the capi binding")
    before = library.read_bytes()
    stripped = beyond.stripped(library)
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
    assert beyond.is_own("capi", Path(path)) is own


def test_requirements_are_followed_but_not_into_extras() -> None:
    assert set(beyond.requirements("cffi")) == {"cffi", "pycparser"}


def test_an_import_brings_files_and_takes_time() -> None:
    own = beyond.imported("python")
    assert any(path.endswith("bindings/python/matmul.py") for path in own["files"])
    assert not any("ffi_cookbook/records/" in path for path in own["files"])
    found = beyond.measure(["python", "numpy"], "quick")
    for binding in ("python", "numpy"):
        (seconds,) = found[binding]["imports"]
        assert seconds > 0
    assert found["python"]["sizes"] == {"own": {}, "required": {}}


def test_the_tables_show_what_was_measured(results: Any) -> None:
    assert tables.beyond(results) == []
    found = {
        "sizes": {"own": {"a.so": [3000, 2000]}, "required": {"t": 7_000_000}},
        "imports": [0.002, 0.003],
    }
    results.beyond = {"capi": found}
    (whole,) = tables.beyond(results)
    assert [figure.value for figure in whole.rows[0][1]] == ["2.1", "2", "7"]
