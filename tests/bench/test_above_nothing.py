"""Costs are those above an empty function of the same arguments, and none is negative."""

from __future__ import annotations

import re
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import empty as empty_module
from benchmarks.ledger import rows as rows_module
from benchmarks.ledger import storage
from benchmarks.ledger.results import Cell
from benchmarks.report import page, tables, terminal


def test_a_call_is_compared_with_the_same_statement_of_an_empty_function() -> None:
    patterns = ffi_cookbook.load("python").patterns
    for name, row in rows_module.ALL.items():
        empty = row.nothing()
        assert empty.statement == row.timed(patterns).statement, name
        assert empty.names.keys() == row.names(patterns).keys(), name
        exec(empty.statement, dict(empty.names))
        assert type(empty.names["f"]).__name__ == "builtin_function_or_method", name
    attribute = type(empty_module.instance()).value
    assert type(attribute).__name__ == "member_descriptor"  # the cheapest attribute needs no call


def test_no_cost_is_negative(results: Any) -> None:
    cell = results.cells["pattern attribute_set"]["ctypes idiomatic"]
    cell.beside = [[one + 3e-9 for one in rounds] for rounds in cell.seconds]
    cell.__dict__.pop("estimate", None)
    results.instructions["attribute_set"]["ctypes"]["instructions"] = -7.7
    results.__dict__["floor"] = (2e-9, 0.0)
    assert cell.value < 0
    assert tables.cost(results, "attribute_set", "ctypes", "ctypes idiomatic").value == "<2"
    text = page.html(results, storage.as_json(results))
    assert not re.findall(r">-\d", text)
    assert results.times_floor("ctypes") == pytest.approx(1.0)  # nothing is subtracted


@pytest.mark.parametrize(
    ("seconds", "beside", "shown"),
    [
        ([9.0, 9.1, 9.2], [1.0, 1.1, 1.2], "8"),
        ([9.0, 12.0, 30.0], [1.0, 1.0, 1.0], "–"),
        ([10.0, 10.0, 10.0], [1.0, 9.0, 11.0], "–"),
    ],
    ids=["measured", "over 50 %", "zero in the interval"],
)
def test_what_is_not_a_measurement_is_a_dash(
    results: Any, seconds: list[float], beside: list[float], shown: str
) -> None:
    results.cells["pattern str_in"]["pyo3"] = Cell(
        [[one * 1e-9] * 3 for one in seconds], [[one * 1e-9] * 3 for one in beside]
    )
    results.__dict__["floor"] = (0.0, 0.0)
    figure = tables.cost(results, "str_in", "pyo3", "pyo3")
    assert figure.value == shown
    if shown == "–":
        assert (figure.marks, figure.interval, figure.bold) == ("", "", False)


def test_unusual_nanoseconds_per_instruction_need_a_reason(results: Any) -> None:
    assert results.odd == {}
    del results.odd
    cell = results.cells["pattern iterate"]["pybind11"]
    cell.seconds = [[3.2 * cell.gross.value] * 3] * 3
    for made in ("gross", "estimate"):
        cell.__dict__.pop(made, None)
    assert list(results.odd) == [("iterate", "pybind11")]
    assert results.odd["iterate", "pybind11"] == pytest.approx(3.2, rel=0.3)
    figure = tables.cost(results, "iterate", "pybind11", "pybind11")
    assert "^" in figure.marks
    (said,) = [one for one in terminal.warnings(results) if "^" in one]
    assert "need an explanation: pybind11 iterate 3." in said
    results.instructions["iterate"]["python"]["gross"] *= 9
    for counts in results.instructions.values():  # as if someone had divided its seconds
        counts["nanobind"]["gross"] *= 4
    del results.odd
    assert {contender for _, contender in results.odd} == {"nanobind", "pybind11"}
    assert sum(contender == "nanobind" for _, contender in results.odd) == len(rows_module.ALL)
