"""The data of every cell, in one block: all samples, counts and sources.

The script reads it, and offers it for download as raw data.
"""

from __future__ import annotations

import base64
import gzip
import json
from math import floor, log10
from typing import Any

from benchmarks.core.bootstrap import Rounds
from benchmarks.ledger.results import Cell, Results
from benchmarks.ledger.rows import ALL
from benchmarks.report.page.choice import guide
from benchmarks.report.page.code import sources
from benchmarks.report.page.saved import backends
from benchmarks.report.table import UNKNOWN

DIGITS = 3
FACTS = ("datetime", "commit_info", "machine", "backends", "absent", "noise", "floor", "inputs")
APART = "allocations"
"""What of `beyond` goes to the cells."""


def block(results: Results, document: dict[str, Any]) -> dict[str, Any]:
    """Return the block before compression.

    Samples are whole numbers of a `unit` above the `least` of them, by process and round. Only the
    curves of the search for the break-even size are stored.
    """
    beyond = {
        backend: {subject: of for subject, of in found.items() if subject != APART}
        for backend, found in results.beyond.items()
    }
    return {
        **{fact: document[fact] for fact in FACTS},
        "beyond": _rounded(beyond),
        "model": _rounded(document["model"]),
        "columns": backends(results),
        "rows": {name: _row(name, results) for name in ALL if f"pattern {name}" in results.cells},
        "kernels": {
            group: {name: _cell(cell) for name, cell in cells.items()}
            for group, cells in results.cells.items()
            if not group.startswith(("pattern ", "even "))
        },
        "sources": sources(backends(results)),
        "guide": guide(document, results),
    }


def compressed(made: dict[str, Any]) -> str:
    """Return the block as text: base64 of gzip of JSON."""
    data = json.dumps(made, separators=(",", ":"), ensure_ascii=False).encode()
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _rounded(of: Any) -> Any:
    """Round each number to four digits, the precision of a sample."""
    return json.loads(json.dumps(of), parse_float=lambda text: float(f"{float(text):.4g}"))


def _row(name: str, results: Results) -> dict[str, Any]:
    row, cells = ALL[name], results.cells[f"pattern {name}"]
    return {
        "page": row.page,
        "signature": row.signature,
        "statement": row.statement,
        "note": row.note,
        "function": row.function,
        "contenders": {
            contender: {**_cell(cell), **_counts(results, name, contender)}
            for contender, cell in cells.items()
        },
    }


def _counts(results: Results, name: str, contender: str) -> dict[str, Any]:
    counted = results.instructions.get(name, {}).get(contender, {})
    allocated = (
        results.beyond.get(contender.split()[0], {}).get(APART, {}).get(name, {}).get(contender)
    )
    odd = results.odd.get((name, contender))
    cell = results.cells[f"pattern {name}"][contender]
    return {
        "unknown": cell.value > results.floor[0] and (cell.spread or 0) > UNKNOWN,
        "instructions": counted.get("instructions"),
        "counted": counted.get("gross"),
        "odd": odd and round(odd, 1),
        APART: allocated,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    """Return a cell with its figure and that of the whole statement.

    Each has its interval, in seconds.
    """
    net, gross = ([float(f"{one:.4g}") for one in it] for it in (cell.estimate, cell.gross))
    return {"estimate": net, "gross": gross, **_samples(cell.seconds)}


def _samples(samples: Rounds) -> dict[str, Any]:
    least = min(one for rounds in samples for one in rounds)
    unit = float(f"1e{floor(log10(least or 1)) + 1 - DIGITS}")
    base = round(least / unit)
    return {
        "unit": unit,
        "least": base,
        "rounds": [[round(one / unit) - base for one in rounds] for rounds in samples],
    }
