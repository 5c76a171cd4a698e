"""The page for choosing says what the published run carries, with its uncertainty."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.docs import splice
from benchmarks.ledger import storage
from benchmarks.ledger.results import Cell
from support.backends import NATIVE


def test_costs_of_every_binding_have_their_interval() -> None:
    results: Any = storage.read(json.loads(splice.DATA.read_text("utf-8")))
    row = results.cells["pattern add_int"]
    row["pyo3"] = Cell([[2e-8] * 3, [1.5e-8] * 3, [2.7e-8] * 3], binding="pyo3")
    rows = {line.split(" | ")[0]: line for line in splice.choosing(results).splitlines()[2:]}
    assert set(rows) == {f"| `{name}`" for name in NATIVE}
    assert rows["| `pyo3`"].split(" | ")[1].replace("^", "") == "?15 ± 6"  # ^: instructions
    del row["pyo3"]
    (rust,) = [line for line in splice.choosing(results).splitlines() if "pyo3" in line]
    assert rust.split(" | ")[1] == "–"
