"""The results that a saved document was made from."""

from __future__ import annotations

from typing import Any

from benchmarks.ledger.results import Cell, Results

PARTS = (
    "effort",
    "machine",
    "backends",
    "absent",
    "inputs",
    "noise",
    "instructions",
    "beyond",
    "model",
)


def read(document: dict[str, Any]) -> Results:
    """Read a document that storage.as_json wrote."""
    results = Results(**{part: document[part] for part in PARTS})
    for one in document["benchmarks"]:
        extra = one["extra_info"]
        cell = Cell(extra["rounds"], extra["beside"], extra["work"])
        results.cells.setdefault(one["group"], {})[one["param"]] = cell
    return results


def backends(results: Results) -> list[str]:
    """Return the ledger's columns: the bindings that cross the boundary, and plain Python."""
    return [name for name in results.open_backends if name != "numpy"]


def native(results: Results) -> list[str]:
    """Return the bindings that cross the boundary."""
    return [name for name in backends(results) if name != "python"]
