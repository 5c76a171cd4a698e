"""The page for choosing says what the published run carries, with its uncertainty."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.docs import splice
from support.backends import NATIVE


def _figures() -> Any:
    return json.loads(splice.DATA.read_text("utf-8"))


def _rows(text: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")][2:]


def test_every_binding_is_described() -> None:
    assert set(splice.GOOD_FOR) == set(NATIVE)
    assert {name for names in splice.CODE.values() for name in names} == set(NATIVE)


def test_costs_have_their_interval() -> None:
    figures = _figures()
    figures["cells"]["pattern add_int"]["pyo3"] |= {
        **{"seconds": 2e-8, "low": 1.5e-8, "high": 2.7e-8},
        "marks": "?",
    }
    text = splice.choosing(figures)
    (rust,) = [row for row in _rows(text) if row[0] == "Rust"]
    assert rust[1:3] == ["`pyo3`", "?20 ± 6"]
    del figures["cells"]["pattern add_int"]["pyo3"]
    del figures["beyond"]["pyo3"]
    (rust,) = [row for row in _rows(splice.choosing(figures)) if row[0] == "Rust"]
    assert rust[2] == "–"
    assert rust[-2] == "–"
