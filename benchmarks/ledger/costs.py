"""The additive model: a call's own price, the price of each argument and the price of the result.

The prices of a binding are fitted to the rows of the ledger that differ in nothing but their kinds
of argument and result, by least squares with non-negative prices. The weight of a row is the
inverse of its uncertainty: 5 ns, or 10 % where that is more. An argument and a result of one kind
may cost less together than apart: that part has either sign.

The prices are judged by the held-out rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

import numpy as np

from benchmarks import REFERENCES
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, HELD_OUT, ROWS
from ffi_cookbook.costs import Signature

PAGES = ("scalars", "text", "arrays", "containers")
OTHERS = ("noop_nogil", "int_out", "defaults", "str_in_utf8", "array_in_nogil", "strided_in")
OTHERS += ("tensor_in", "tensor_out", "callback_error")
MORE = ("struct_", "object_", "callback")
FITTED = [
    name
    for name, row in ROWS.items()
    if name not in OTHERS and (row.page in PAGES or name.startswith(MORE))
]
"""The rows that the prices are fitted to.

Rows with a cost of another kind are left out: a released GIL, defaults, a second form of a kind
(UTF-8, strides), methods and attributes, loops, exceptions, signals; and int_out, whose result 42
is an int that Python caches, while most ints are allocated.
"""

BOTH, TOGETHER = "array_map", "both ndarray[f64]"
"""The row that says what an array in and an array out cost together, and its part."""
BY_HAND = ("capi",)
"""The bindings in which the author reads the arguments of every function: our pages read them where
they are, and the documentation by a format, which is parsed at every call."""

ALLOWED_NS, ALLOWED = 5.0, 0.1  # a cost may be off by this, or by this part of it if that is more
Prices = dict[str, dict[str, float]]  # by binding, by part


def model(results: Results) -> dict[str, Any]:
    """Return the prices of our pages and of idiomatic code, and the held-out rows."""
    prices, documented = fit(results), fit(results, "idiomatic")
    idiomatic = {name: paid | {TOGETHER: 0.0} | documented[name] for name, paid in prices.items()}
    return {"costs": prices, "idiomatic": idiomatic, "held_out": held_out(results, prices)}


def fit(results: Results, variant: str = "") -> Prices:
    """Return the prices, in nanoseconds, of every native binding whose rows were all measured.

    They are those of a variant where a binding has it, without the rows that say nothing about it.
    """
    prices = {}
    for backend in results.open_backends:
        measured = all(results.cell(f"pattern {row}", backend) for row in FITTED)
        if backend in REFERENCES or not measured:
            continue
        names = {row: results.variant(row, backend, variant) for row in FITTED}
        if variant:
            names = {row: name for row, name in names.items() if _documented(row, name, backend)}
        prices[backend] = _fitted({row: _ns(results, row, name) for row, name in names.items()})
    return prices


def _documented(row: str, contender: str, backend: str) -> bool:
    """Return True if a contender has the form that the documentation has."""
    by_hand = backend in BY_HAND and Signature.parse(ALL[row].signature).arguments
    return contender != backend or (row != BOTH and not by_hand)


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


def published(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a saved run's prices as `ffi-cookbook cost` reads them."""
    model, machine = document["model"], document["machine"]
    backends = {
        backend: {
            "technology": document["backends"][backend]["about"]["technology"],
            "off": _off(backend, model["held_out"]),
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


def _off(backend: str, held_out: list[dict[str, Any]]) -> dict[str, float]:
    """Return the median error of the held-out rows, in nanoseconds and as a fraction."""
    cells = [cell for cell in held_out if cell["backend"] == backend]
    apart = [abs(cell["predicted"] - cell["measured"]) for cell in cells]
    sizes = [max(cell["measured"], ALLOWED_NS) for cell in cells]
    fractions = [one / size for one, size in zip(apart, sizes, strict=True)]
    return {"ns": round(median(apart), 1), "fraction": round(median(fractions), 3)}


def _fitted(measured: Mapping[str, float]) -> dict[str, float]:
    """Return the prices that fit the rows."""
    from scipy.optimize import lsq_linear  # imported here, since the site needs no fit

    parts = [_parts(row) for row in measured]
    names = list(dict.fromkeys(part for one in parts for part in one))
    costs = np.array(list(measured.values()))
    weights = 1 / np.maximum(ALLOWED_NS, ALLOWED * costs)
    matrix = np.array([[one.get(name, 0) for name in names] for one in parts]) * weights[:, None]
    least = [-np.inf if name.startswith("both ") else 0.0 for name in names]
    fitted = lsq_linear(matrix, costs * weights, (least, np.inf))
    return dict(zip(names, fitted.x.tolist(), strict=True))


def _parts(row: str) -> dict[str, int]:
    return Signature.parse(ALL[row].signature).parts()


def _ns(results: Results, row: str, contender: str) -> float:
    return results.cells[f"pattern {row}"][contender].value * 1e9
