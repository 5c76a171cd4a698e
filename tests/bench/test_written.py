"""The benchmark replaces files and never changes them in place.

An installed package may be hard-linked to the same file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from benchmarks import study
from benchmarks.docs import splice
from benchmarks.docs.kits import KITS
from benchmarks.ledger.instructions import gate
from benchmarks.ledger.model import costs

Write = Callable[[Path, pytest.MonkeyPatch], Any]


def _prices(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = {
        "processor": "P",
        "cores": 2,
        "python_implementation": "CPython",
        "python_version": "3",
    }
    monkeypatch.setattr(costs, "MEASURED", path)
    model = {"costs": {}, "held_out": []}
    made = {"model": model, "machine": machine, "datetime": "2026-01-01T00:00", "backends": {}}
    costs.store(made)


def _pages(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splice, "stored", lambda: {path: "new"})
    splice.main([])


def _parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "DOCS", path.parent)
    monkeypatch.setattr(study.Study, "written", lambda self: {})
    path = path.rename(path.with_suffix(".json"))
    study.Study("page", "?", "page", {}, ()).store({"new": {}})
    path.rename(path.with_suffix(""))


def _baseline(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate.save({"new": {}}, path)


@pytest.mark.parametrize("write", [_prices, _pages, _parts, _baseline])
def test_a_file_is_replaced_and_not_changed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, linked = tmp_path / "page", tmp_path / "linked"
    path.write_text("{}")
    linked.hardlink_to(path)
    write(path, monkeypatch)
    assert linked.read_text() == "{}"
    assert path.read_text() != "{}"


def test_the_prices_are_written_to_the_source_and_not_to_the_installed_package() -> None:
    source = Path(__file__).parents[2] / "src" / "ffi_cookbook" / "costs" / "measured.json"
    assert source == costs.MEASURED


def test_the_language_of_a_binding_is_read_from_its_pages() -> None:
    """A binding that is added is in every table without being named in benchmarks/."""
    languages = {name: splice.written_in(name) for name in ffi_cookbook.names() if name != "numpy"}
    assert languages["capi"] == "C"
    assert languages["torch"] == languages["nanobind"] == "C++"
    assert languages["cffi"] == languages["python"] == "Python"
    assert (languages["cython"], languages["pyo3"]) == ("Cython", "Rust")
    assert {*KITS} == {*languages}
