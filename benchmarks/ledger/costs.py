"""The additive model: a call's own price, the price of each argument and the price of the result.

The prices of a binding are fitted to the rows of the ledger that differ in nothing but their kinds
of argument and result, by least squares with non-negative prices. The weight of a row is the
inverse of its uncertainty: 5 ns, or 10 % where that is more. An argument and a result of one kind
may cost less together than apart: that part has either sign.

Instructions come first, since they are exact on the busiest machine. Their prices, times the
binding's nanoseconds per instruction, are what the prices in nanoseconds are drawn to: an
instruction of one part takes longer than that of another, but not three times as long. The prices
are judged by the held-out rows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from statistics import median
from typing import Any

import numpy as np

from benchmarks import REFERENCES, ROOT
from benchmarks.core.pages import replace
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, HELD_OUT
from ffi_cookbook.costs import Signature

MEASURED = ROOT / "src" / "ffi_cookbook" / "costs" / "measured.json"
"""The source, and not the copy in the installed package."""
FITTED = (
    "noop",
    "int_in",
    "invert",
    "add_int",
    "add_float",
    "six_scalars",
    "str_in",
    "str_out",
    "bytes_in",
    "bytes_out",
    "bytes_map",
    "buffer_in",
    "array_in",
    "array_out",
    "array_map",
    "array_inplace",
    "dlpack_in",
    "list_in",
    "list_out",
    "strings_in",
    "dict_in",
    "tuple_out",
    "struct_in",
    "struct_out",
)
"""The rows that the prices are fitted to.

Rows with a cost of another kind are left out: a released GIL, keyword arguments, a second form of a
kind (UTF-8, strides), calls of types and instances, loops, callbacks, exceptions, signals; and
int_out, whose result 42 is an int that Python caches, while most ints are allocated.
"""

ALLOWED_NS, ALLOWED = 5.0, 0.1
"""The tolerance of a predicted cost: these nanoseconds or this part of it, the larger one."""
NEAR_NS, NEAR = 5.0, 0.3
"""How far a price in nanoseconds may easily be from what its instructions say."""

Prices = dict[str, dict[str, float]]
"""By binding, by part."""


def model(results: Results) -> dict[str, Any]:
    """Return the prices of our pages and of idiomatic code, and the held-out rows."""
    prices = fit(results)
    idiomatic = fit(results, "idiomatic")
    return {"costs": prices, "idiomatic": idiomatic, "held_out": held_out(results, prices)}


def fit(results: Results, variant: str = "") -> Prices:
    """Return the prices, in nanoseconds, of every native binding whose rows were all measured.

    They are those of a variant, where a binding has it.
    """
    prices = {}
    for backend in results.open_backends:
        if backend in REFERENCES or not all(
            results.cell(f"pattern {row}", backend) for row in FITTED
        ):
            continue
        names = {row: results.variant(row, backend, variant) for row in FITTED}
        ns = {row: _ns(results, row, name) for row, name in names.items()}
        counts = {row: _count(results, row, name) for row, name in names.items()}
        expected = None
        if all(counts.values()):
            speed = median(ns[row] / counts[row] for row in FITTED)
            counted = _fitted(counts, ALLOWED_NS / max(speed, 0.01))
            expected = {part: speed * price for part, price in counted.items()}
        prices[backend] = _fitted(ns, ALLOWED_NS, expected)
    return prices


def held_out(results: Results, prices: Prices) -> list[dict[str, Any]]:
    """Return the held-out rows, through every binding.

    Each has its measured and predicted nanoseconds, and True if they are as near as is allowed.
    """
    cells = []
    for row in HELD_OUT:
        for backend, paid in prices.items():
            if results.cell(f"pattern {row}", backend):
                measured = _ns(results, row, backend)
                predicted = sum(paid[part] * n for part, n in _parts(row).items())
                near = abs(predicted - measured) <= max(ALLOWED_NS, ALLOWED * measured)
                cell = {"measured": measured, "predicted": predicted, "near": near}
                cells.append({"row": row, "backend": backend, **cell})
    return cells


def store(document: Mapping[str, Any]) -> None:
    """Write src/ffi_cookbook/costs/measured.json from a saved run."""
    replace(MEASURED, json.dumps(published(document), indent=1, sort_keys=False) + "\n")


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a saved run's prices as `ffi-cookbook cost` reads them."""
    model, machine = document["model"], document["machine"]
    backends = {
        backend: {
            "technology": document["backends"][backend]["about"]["technology"],
            "off": _off([cell for cell in model["held_out"] if cell["backend"] == backend]),
            "parts": _rounded(model["idiomatic"][backend]),
            "ours": _rounded(paid),
        }
        for backend, paid in model["costs"].items()
    }
    return {
        "machine": f"{machine['processor']}, {machine['cores']} cores",
        "python": f"{machine['python_implementation']} {machine['python_version']}",
        "date": document["datetime"][:10],
        "backends": backends,
    }


def _rounded(paid: Mapping[str, float]) -> dict[str, float]:
    return {part: round(price, 2) for part, price in paid.items()}


def _off(cells: list[dict[str, Any]]) -> dict[str, float]:
    """Return the median error of the held-out rows, in nanoseconds and as a fraction."""
    apart = [abs(cell["predicted"] - cell["measured"]) for cell in cells]
    fractions = [
        one / max(cell["measured"], ALLOWED_NS) for one, cell in zip(apart, cells, strict=True)
    ]
    return {"ns": round(median(apart), 1), "fraction": round(median(fractions), 3)}


def _fitted(
    measured: Mapping[str, float], floor: float, expected: Mapping[str, float] | None = None
) -> dict[str, float]:
    """Return the prices that fit the rows and are near the expected prices."""
    from scipy.optimize import lsq_linear  # imported here, since the site needs no fit

    parts = [_parts(row) for row in measured]
    names = list(dict.fromkeys(part for one in parts for part in one))
    costs = np.array(list(measured.values()))
    weights = 1 / np.maximum(floor, ALLOWED * costs)
    matrix = np.array([[one.get(name, 0) for name in names] for one in parts]) * weights[:, None]
    wanted = costs * weights
    if expected:
        prior = np.array([expected[name] for name in names])
        nearness = 1 / (NEAR_NS + NEAR * abs(prior))
        matrix = np.vstack([matrix, np.diag(nearness)])
        wanted = np.concatenate([wanted, prior * nearness])
    least = [-np.inf if name.startswith("both ") else 0.0 for name in names]
    fitted = lsq_linear(matrix, wanted, (least, np.inf))
    return dict(zip(names, fitted.x.tolist(), strict=True))


def _parts(row: str) -> dict[str, int]:
    return Signature.parse(ALL[row].signature).parts()


def _count(results: Results, row: str, contender: str) -> float:
    """Return the instructions of a call above an empty one, or 0 if nothing was counted."""
    found = results.instructions.get(row, {}).get(contender)
    return max(found["instructions"] - found.get("scan", 0), 0.5) if found else 0.0


def _ns(results: Results, row: str, contender: str) -> float:
    return results.cells[f"pattern {row}"][contender].value * 1e9
