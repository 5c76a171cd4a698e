"""The cost model recovers the prices that were put into the samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import costs as model
from benchmarks.ledger import rows, storage
from benchmarks.ledger.results import Cell
from ffi_cookbook import costs
from ffi_cookbook.costs import Signature

PRICES = {
    "no argument": 9.0,
    "arguments": 4.0,
    **{"int": 2.0, "bool": 1.0, "float": 3.0, "str": 8.0, "bytes": 6.0, "Buffer": 7.0},
    **{"ndarray[f64]": 30.0, "dlpack": 80.0, "list": 20.0},
    **{"list[str]": 33.0, "dict": 40.0, "Point": 5.0},
    **{"-> int": 5.0, "-> bool": 0.5, "-> float": 4.0, "-> str": 12.0, "-> bytes": 11.0},
    **{"-> ndarray[f64]": 45.0, "-> list": 60.0, "-> tuple": 15.0, "-> Point": 10.0},
    **{"both bytes": -5.5, "both ndarray[f64]": 7.5, "-> Self": 21.0, "by name": 17.0},
    "Callable": 26.0,
}


def price(row: str) -> float:
    parts = Signature.parse(rows.ALL[row].signature).parts()
    return sum(PRICES[part] * count for part, count in parts.items())


@pytest.fixture
def priced(results: Any) -> Any:
    """Return samples in which the C API has these prices and all other bindings twice as much."""
    for row in (*model.FITTED, *rows.HELD_OUT):
        for binding, cell in results.cells[f"pattern {row}"].items():
            cell.__dict__.pop("estimate", None)
            times = 1 if binding == "capi" else 2
            cell.seconds = [[price(row) * times * 1e-9] * 3] * 3
    return results


def test_every_native_backend_has_a_price_for_every_part() -> None:
    native = [name for name in ffi_cookbook.names() if name not in ("python", "numpy")]
    assert costs.backends() == native
    for binding in costs.measured()["backends"].values():
        assert set(binding["parts"]) == set(PRICES)
        assert set(binding["off"]) == {"ns", "fraction"}
        for part, price in binding["parts"].items():
            assert price >= 0 or part.startswith("both ")


# ---- the fit --------------------------------------------------------------------------------


def test_prices_that_were_put_in_come_out(priced: Any) -> None:
    prices = model.fit(priced)
    assert "python" not in prices
    assert "pyo3" not in prices  # it was unavailable
    for part in PRICES.keys() - {"bool", "-> bool"}:
        assert prices["cython"][part] == pytest.approx(2 * prices["capi"][part], abs=1e-3)
    found = model.held_out(priced, prices)
    assert len(found) == len(rows.HELD_OUT) * len(prices)
    for cell in found:
        assert cell["predicted"] == pytest.approx(cell["measured"], rel=0.02)
        assert cell["near"]


def test_held_out_rows_are_predicted_not_fitted(priced: Any) -> None:
    prices = model.fit(priced)
    for cell in priced.cells["pattern scaled"].values():
        cell.__dict__.pop("estimate", None)
        cell.seconds = [[200e-9] * 3] * 3
    assert model.fit(priced) == prices
    found = model.held_out(priced, prices)
    assert {cell["row"] for cell in found if not cell["near"]} == {"scaled"}


def test_a_run_of_some_rows_has_no_prices(priced: Any) -> None:
    del priced.cells["pattern dict_in"]
    assert model.fit(priced) == {}


def test_a_saved_run_becomes_the_committed_prices(
    priced: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arrays = dict.fromkeys(("array_in", "array_inplace", "array_out"), 300)
    formats = dict.fromkeys(("add_int", "add_float", "six_scalars", "list_in"), 20)
    for binding, more in {"cython": {"str_out": 9, **arrays}, "capi": formats}.items():
        for row, ns in more.items():
            ours = priced.cells[f"pattern {row}"][binding].value
            cell = Cell([[ours + ns * 1e-9] * 3] * 3, binding=binding, variant="idiomatic")
            priced.cells[f"pattern {row}"][f"{binding} idiomatic"] = cell
    priced.model |= model.model(priced)
    monkeypatch.setattr(costs, "MEASURED", tmp_path / "measured.json")
    costs.MEASURED.write_text(json.dumps(model.published(storage.as_json(priced))))
    costs.measured.cache_clear()
    try:
        assert costs.measured()["backends"]["capi"]["technology"] == "T 1.0"
        assert costs.measured()["backends"]["capi"]["off"]["fraction"] < 0.02
        signature = Signature.parse("f() -> str")
        assert costs.predict("cython", signature, ours=True).total == pytest.approx(42.0)
        assert costs.predict("cython", signature).total == pytest.approx(51.0, abs=0.5)
        both = costs.predict("cython", Signature.parse("f(ndarray[f64]) -> ndarray[f64]")).total
        assert both == pytest.approx(2 * price("array_map") - 15 + 600, abs=5)
        parsed = costs.predict("capi", Signature.parse("f(str) -> int")).total
        assert parsed == pytest.approx(price("str_in") + 20, abs=3)
    finally:
        costs.measured.cache_clear()
