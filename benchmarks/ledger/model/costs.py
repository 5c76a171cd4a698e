"""The additive model: a call's own price, that of each argument and that of the result.

The prices of a binding are fitted to the rows of the ledger that differ in nothing but their kinds
of argument and result, by least squares in which no price is negative and every row counts by what
it may be off: 5 ns, or 10 % where that is more. An argument and a result of one kind may cost less
together than apart: that part has either sign. They are judged by the rows that were held out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from statistics import median
from typing import Any

import numpy as np
from scipy.optimize import lsq_linear

from benchmarks import REFERENCES, ROOT
from benchmarks.core.pages import replace
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, HELD_OUT
from bindings.costs import Signature

MEASURED = ROOT / "bindings" / "costs" / "measured.json"
"""The source, and not the copy in the installed package."""
FITTED = (
    *("noop", "int_in", "invert", "add_int", "add_float", "six_scalars"),
    *("str_in", "str_out", "bytes_in", "bytes_out", "bytes_map", "buffer_in"),
    *("array_in", "array_out", "array_map", "array_inplace", "dlpack_in"),
    *("list_in", "list_out", "dict_in", "tuple_out", "struct_in", "struct_out"),
)
"""Left out is what pays for something else: the GIL released, names of arguments, a second form of
a kind (UTF-8, strides, a list of texts), types and their instances called, loops, calls back,
exceptions, signals; and int_out, whose 42 is among the ints that Python keeps: most are made."""
ALLOWED_NS, ALLOWED = 5.0, 0.1

Prices = dict[str, dict[str, float]]
"""By binding, by part, in nanoseconds."""


def fit(results: Results) -> Prices:
    """Return the prices of every native binding whose rows were all measured."""
    return {
        backend: _fitted({row: _ns(results, row, backend) for row in FITTED})
        for backend in results.open_backends
        if backend not in REFERENCES
        and all(results.cell(f"pattern {row}", backend) for row in FITTED)
    }


def held_out(results: Results, prices: Prices) -> list[dict[str, Any]]:
    """Return the rows that were held out, through every binding.

    Each has its measured and predicted nanoseconds, and whether they are as near as they should be.
    """
    return [
        {
            "row": row,
            "backend": backend,
            "measured": measured,
            "predicted": predicted,
            "near": abs(predicted - measured) <= allowed(measured),
        }
        for row in HELD_OUT
        for backend, paid in prices.items()
        if results.cell(f"pattern {row}", backend)
        for measured in [_ns(results, row, backend)]
        for predicted in [sum(paid[part] * n for part, n in _parts(row).items())]
    ]


def keep(document: Mapping[str, Any]) -> None:
    """Write bindings/costs/measured.json from a saved run."""
    replace(MEASURED, json.dumps(published(document), indent=1, sort_keys=False) + "\n")


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a saved run's prices as `ffi-cookbook cost` reads them."""
    model, machine = document["model"], document["machine"]
    backends = {
        backend: {
            "technology": document["backends"][backend]["about"]["technology"],
            "off": _off([cell for cell in model["held_out"] if cell["backend"] == backend]),
            "parts": {part: round(price, 2) for part, price in paid.items()},
        }
        for backend, paid in model["costs"].items()
    }
    return {
        "machine": f"{machine['processor']}, {machine['cores']} cores",
        "python": f"{machine['python_implementation']} {machine['python_version']}",
        "date": document["datetime"][:10],
        "backends": backends,
    }


def allowed(ns: float) -> float:
    """How far off a prediction may be."""
    return max(ALLOWED_NS, ALLOWED * ns)


def _off(cells: list[dict[str, Any]]) -> dict[str, float]:
    """How far off the held-out rows were, at the median: in nanoseconds and as a fraction."""
    apart = [abs(cell["predicted"] - cell["measured"]) for cell in cells]
    fractions = [
        one / max(cell["measured"], ALLOWED_NS) for one, cell in zip(apart, cells, strict=True)
    ]
    return {"ns": round(median(apart), 1), "fraction": round(median(fractions), 3)}


def _fitted(measured: Mapping[str, float]) -> dict[str, float]:
    counts = [_parts(row) for row in measured]
    names = list(dict.fromkeys(part for one in counts for part in one))
    ns = np.array(list(measured.values()))
    weights = 1 / np.array([allowed(one) for one in ns])
    matrix = np.array([[one.get(name, 0) for name in names] for one in counts])
    least = [-np.inf if name.startswith("both ") else 0.0 for name in names]
    fitted = lsq_linear(matrix * weights[:, None], ns * weights, (least, np.inf))
    return dict(zip(names, fitted.x.tolist(), strict=True))


def _parts(row: str) -> dict[str, int]:
    return Signature.parse(ALL[row].signature).parts()


def _ns(results: Results, row: str, backend: str) -> float:
    return results.cells[f"pattern {row}"][backend].value * 1e9
