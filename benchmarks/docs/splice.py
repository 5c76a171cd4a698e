"""`python -m benchmarks pages [RUN.json]`: write the figures of a run into README.md and docs.

No number in them is typed by hand. RUN.json (bench/latest.json, which `nox -s bench -- --full
--publish` takes) becomes docs/results.json, and from that the marked parts of README.md and
choosing.md and the prices of `ffi-cookbook cost` are made. Without a run they are written again
from the stored one; `--check` only fails if one differs. Pages that are not committed are made by
site.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import ffi_cookbook
from benchmarks import REFERENCES, ROOT
from benchmarks.core.pages import replace, spliced, table
from benchmarks.ledger import costs, storage
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import ALL, KINDS
from benchmarks.report.tables import ABSENT, NONE, cost, short
from benchmarks.report.terminal import headline, warnings

README = ROOT / "README.md"
DATA = ROOT / "docs" / "results.json"
PRICES = ROOT / "src" / "ffi_cookbook" / "costs" / "measured.json"
"""The source, and not the copy in the installed package."""
CHOOSING = ROOT / "docs" / "choosing.md"
NEAR = 1.1  # a figure within this factor of the cheapest tool's is in bold
CALLS = {"add_int": "two ints", "str_in": "a str", "array_in": "an array", "error": "an error"}
"""Patterns, and what the page calls them."""


class Incomplete(ValueError):
    """A run without figures that the pages need."""


def publish(run: Path) -> None:
    """Store a run, and write everything that is made from it; all texts are made before.

    Raises: Incomplete: the run lacks figures.
    """
    document = json.loads(run.read_text("utf-8"))
    if found := lacking(document):
        raise Incomplete(f"{run} is not a whole run: it lacks {', '.join(found[:5])}")
    for backend in document["backends"].values():
        backend.pop("provenance", None)
    made = written(document)
    _write({DATA: json.dumps(document) + "\n", **made})


def lacking(document: Mapping[str, Any]) -> list[str]:
    """Return what a run lacks to be published."""
    cells, names = document["cells"], [name for name in ffi_cookbook.names() if name != "numpy"]
    groups = [*(f"pattern {row}" for row in ALL), "records decode", "tokenizer text"]
    return [
        f"{group} through {name}"
        for group in groups
        for name in names
        if name not in cells.get(group, {}) and (name != "torch" or group.startswith("pattern "))
    ]


def _write(texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        replace(path, text)


def stored() -> dict[Path, str]:
    """Return everything that is made from the stored run, by path."""
    return written(json.loads(DATA.read_text("utf-8")))


def written(document: dict[str, Any]) -> dict[Path, str]:
    """Return everything that is committed and made from a run."""
    results = storage.read(document)
    prices = json.dumps(costs.published(document), indent=1) + "\n"
    return {
        README: spliced(README.read_text("utf-8"), {"guidance": guidance(results)}),
        CHOOSING: spliced(CHOOSING.read_text("utf-8"), {"costs": choosing(results)}),
        PRICES: prices,
    }


def guidance(results: Results) -> str:
    """Return the run's machine, and the cost of calls through each binding by kind of argument."""
    native = [name for name in ffi_cookbook.names() if name not in REFERENCES]
    documented, pages = (
        {
            kind: {name: results.times_floor(name, rows, variant) for name in native}
            for kind, rows in KINDS.items()
        }
        for variant in ("idiomatic", "")
    )
    native.sort(key=lambda name: geometric_mean(costs[name] for costs in documented.values()))
    rows = []
    for name in native:
        cells = []
        for kind, of in documented.items():
            cheapest = min(cost for other, cost in of.items() if other != "capi")
            best = name != "capi" and of[name] <= NEAR * cheapest
            figure = f"{of[name]:.1f}×"
            cells.append(f"{f'**{figure}**' if best else figure} ({pages[kind][name]:.1f})")
        rows.append([f"`{name}`", *cells])
    machine = [headline(results), *(f"**{warning}**" for warning in warnings(results))]
    return "\n\n".join([*machine, table(["", *KINDS], rows)])


def choosing(results: Results) -> str:
    """Return the table of docs/choosing.md: what some calls cost through each binding."""
    native = [name for name in ffi_cookbook.names() if name not in REFERENCES]
    rows = [[f"`{name}`", *(_call(results, row, name) for row in CALLS)] for name in native]
    return table(["", *(f"{title}, ns" for title in CALLS.values())], rows)


def _call(results: Results, row: str, name: str) -> str:
    """Return the cost of code as documented, and that of our page if it is another."""
    documented, ours = results.variant(row, name, "idiomatic"), _cost(results, row, name, name)
    if documented == name:
        return ours
    return f"{_cost(results, row, name, documented)} ({ours.partition(' ')[0]})"


def _cost(results: Results, row: str, name: str, contender: str) -> str:
    """Return a cost with half its interval, or a dash if it is not a measurement."""
    figure = cost(results, row, name, contender)
    if figure == NONE:
        return ABSENT
    _, low, high = results.cells[f"pattern {row}"][contender].estimate
    return f"{figure.marks}{figure.value} ± {short(1e9 * (high - low) / 2)}"


def main(arguments: Sequence[str]) -> int:
    """Run the command line."""
    if "--check" in arguments:
        stale = [path for path, text in stored().items() if path.read_text("utf-8") != text]
        print(*(f"{path} differs from the stored run" for path in stale), sep="\n")
        return int(bool(stale))
    if not arguments:
        _write(stored())
        return 0
    try:
        publish(Path(arguments[0]))
    except Incomplete as failure:
        print(failure)
        return 2
    return 0
