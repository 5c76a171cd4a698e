"""The break-even sizes, and the errors of the cost model on held-out rows."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from benchmarks.ledger.model import ALLOWED, ALLOWED_NS, LEVELS
from benchmarks.ledger.model.even import KERNELS
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import HELD_OUT
from benchmarks.report.table import NONE, Figure, Table, short

SIZE = {
    "matmul": "N of two N × N float32 matrices",
    "decode": "records in a call",
    "encode": "bytes of text in a call",
}
"""What the size of a kernel's work is."""


def even(results: Results) -> list[Table]:
    """Return the sizes from which on a binding costs less than each level, by kernel."""
    found = results.model.get("break_even")
    if not found:
        return []
    columns = [(kernel, level) for kernel in found for level in LEVELS]
    backends = list(
        dict.fromkeys(backend for by_backend in found.values() for backend in by_backend)
    )
    rows = [
        (
            backend,
            [
                _size(found[kernel][backend], level, max(KERNELS[kernel][0]))
                if backend in found[kernel]
                else NONE
                for kernel, level in columns
            ],
        )
        for backend in backends
    ]
    return [
        Table(
            "Break-even: the size from which on a binding costs less than 5 % or 1 % of a call",
            [f"{kernel} {level}" for kernel, level in columns],
            rows,
            rule=len(rows),
            notes=[
                "matmul: N of two N×N matrices of float32; decode: records; encode: bytes of text.",
                "Measured against the kernel alone (predicted from a small call); cython's and",
                "pyo3's own kernels cannot be run alone: see docs/costs.md.",
            ],
        )
    ]


def words(found: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return a line for each kernel, with the size from which on a binding costs under 5 %."""
    return [
        f"{SIZE[kernel]}: "
        + ", ".join(
            f"{name} {figure.marks}{figure.value}"
            for name in smallest_first(by_backend)
            for figure in [_size(by_backend[name], "5%", max(KERNELS[kernel][0]), predicted=False)]
        )
        for kernel, by_backend in found.items()
    ]


def smallest_first(by_backend: dict[str, Any]) -> list[str]:
    """Return the bindings of a kernel by the size from which on they cost less than 5 %."""
    return sorted(by_backend, key=lambda name: by_backend[name]["measured"]["5%"][0] or inf)


def predictions(results: Results) -> list[Table]:
    """Return the held-out rows, as measured and as predicted."""
    cells = {(cell["row"], cell["backend"]): cell for cell in results.model.get("held_out", [])}
    if not cells:
        return []
    names = [name for name in HELD_OUT if any(row == name for row, _ in cells)]
    backends = list(dict.fromkeys(backend for _, backend in cells))
    rows = [
        (
            backend,
            [_cell(cells[row, backend]) if (row, backend) in cells else NONE for row in names],
        )
        for backend in backends
    ]
    near = sum(cell["near"] for cell in cells.values())
    counted = [cell["instructions"] for cell in cells.values() if "instructions" in cell]
    by_count = (
        f" By instructions, {sum(one['near'] for one in counted)} of {len(counted)} are as near."
        if counted
        else ""
    )
    return [
        Table(
            "Cost model: calls it was not fitted to, ns measured (predicted)",
            names,
            rows,
            rule=len(rows),
            notes=[
                f"{near} of {len(cells)} are off by at most {ALLOWED:.0%} or {ALLOWED_NS:.0f} ns, "
                f"the others are marked !.{by_count}"
            ],
        )
    ]


def _size(backend: dict[str, Any], level: str, largest: int, predicted: bool = True) -> Figure:
    measured, low, high = backend["measured"][level]
    guess = backend["predicted"][level]
    value = f">{short(largest)}" if measured is None else short(measured)
    if predicted and guess is not None:
        value += f" ({short(guess)})"
    spread = (high - low) / 2 / measured if measured and low and high else None
    return Figure(value, spread, once=measured is not None and high is None)  # no upper end


def _cell(cell: dict[str, Any]) -> Figure:
    text = f"{short(cell['measured'])} ({short(cell['predicted'])})"
    return Figure(text if cell["near"] else f"{text} !")
