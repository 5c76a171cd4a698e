"""`python benchmarks pages [RUN.json]`: write the figures of a run into README.md and docs.

No number in them is typed by hand. RUN.json (bench/latest.json, which `nox -s bench -- --publish`
takes) becomes docs/results.json and ffi_cookbook/costs/measured.json, and from these the marked
parts of README.md are made. Without a run all pages are written again from the stored figures;
`--check` only fails if a page or a price in measured.json differs. Pages that are not committed are
made by site.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import ffi_cookbook
from benchmarks import REFERENCES, ROOT
from benchmarks.core.figures import table
from benchmarks.core.pages import replace, spliced
from benchmarks.ledger.rows import ALL, KINDS
from benchmarks.report.tables import ABSENT, FACTS, UNKNOWN, short

README = ROOT / "README.md"
KEYS = ("seconds", "low", "high")
DATA = ROOT / "docs" / "results.json"
PRICES = ROOT / "src" / "ffi_cookbook" / "costs" / "measured.json"
CHOOSING = ROOT / "docs" / "choosing.md"
WRITTEN_IN = {".c": "C", ".pyx": "Cython", ".rs": "Rust", ".cpp": "C++", ".py": "Python"}
"""By the suffix of a page; of several the first one counts."""
NOT_OFFERED = {("tokenizer", "torch")}
"""What the bindings other than numpy lack."""
MOST_NAMED = 5
"""The missing parts of a run that a message names."""
ANY_BUFFER = {
    "as documented": ("capi", "cffi", "cython", "nanobind", "pybind11"),
    "on our pages": ("cython", "nanobind"),
}
"""By form, the bindings that take any object with a buffer as an array of doubles."""
EXPLAINED = """\
The cost of a whole call of code *as the technology's documentation writes it*, by kind of argument,
relative to the quickest form that we know, this project's own page for the C API (geometric means
over patterns); in brackets that of this project's page for the technology, which is quicker or
checks more. The cheapest tool and those within 10 % of it are in bold. Your share: the cost of a
call divided by the time of yours."""
NEAR = 1.1
"""The factor from the cheapest tool, within which a figure is in bold."""
CODE = {
    "C++": ("nanobind", "pybind11", "cython"),
    "C, or any library with a C interface": (
        "cffi",
        "ctypes",
        "capi",
        "cython",
        "nanobind",
        "pybind11",
    ),
    "Rust": ("pyo3",),
    "Python that should be faster": ("cython",),
    "an operator on PyTorch's tensors": ("torch",),
}
"""By what a function is written in, the tools for it, the most natural first."""
GOOD_FOR = {
    "capi": "control of every detail, with no tool in between",
    "cython": "loops in Python that should run at C speed",
    "pyo3": "native code that cannot corrupt memory, and cargo's packages",
    "nanobind": "C++ classes and functions, small and quick",
    "pybind11": "C++ with inheritance, holders and embedding; most widely used",
    "cffi": "a C library with a header",
    "ctypes": "a C library, a few calls a second, nothing to build",
    "torch": "autograd, `torch.compile`, devices",
}
CALLS = {"add_int": "two ints", "str_in": "a str", "array_in": "an array", "error": "an error"}
"""Patterns, and what the page calls them."""
Cells = dict[str, dict[str, dict[str, float]]]
"""By group and contender the `seconds` of the figure, its interval `low` to `high`, and the
seconds of the `whole` statement."""


class Incomplete(ValueError):
    """A run without figures that the pages need."""


def publish(run: Path) -> None:
    """Store a run, and write every page that is made from it.

    All texts are made before the first one is written.

    Raises: Incomplete: the run lacks figures.
    """
    from benchmarks.ledger import costs  # imported here, since only a run needs it

    document = json.loads(run.read_text("utf-8"))
    if found := lacking(document):
        raise Incomplete(f"{run} is not a whole run: it lacks {', '.join(found[:MOST_NAMED])}")
    taken = _taken(document)
    made = written(json.loads(taken[DATA]))
    costs.store(document)
    _write({**taken, **made})


def lacking(document: Mapping[str, Any]) -> list[str]:
    """Return what a run lacks to be published."""
    model = document.get("model", {})
    cells = {(group, name) for group, of in document.get("cells", {}).items() for name in of}
    parts = {
        "samples of a usual or full run": document.get("effort") in ("usual", "full"),
        "the prices of calls": model.get("costs") and model.get("held_out"),
        "the costs beyond the call": document.get("beyond"),
    }
    groups = [*(f"pattern {row}" for row in ALL), "matmul", "records", "tokenizer"]
    kernels = {(group.partition(" ")[0], name) for group, name in cells}
    return [part for part, there in parts.items() if not there] + [
        f"{group} through {name}"
        for group in groups
        for name in ffi_cookbook.names()
        if (group, name) not in cells | kernels | NOT_OFFERED and name != "numpy"
    ]


def _taken(document: dict[str, Any]) -> dict[Path, str]:
    """Return the stored figures of a run, with its tables."""
    from benchmarks.ledger import storage  # imported here, since only a run needs them
    from benchmarks.report.page import report
    from benchmarks.report.tables import cost

    results = storage.read(document)
    cells = {
        group: {
            name: {
                **{key: _rounded(value) for key, value in zip(KEYS, cell.estimate, strict=True)},
                "whole": _rounded(cell.gross.value),
                "marks": cost(results, group.removeprefix("pattern "), cell.binding, name).marks
                if group.startswith("pattern ")
                else "",
            }
            for name, cell in contenders.items()
        }
        for group, contenders in sorted(results.cells.items())
    }
    kept = {name: document[name] for name in ("instructions", "beyond", "model", "floor")}
    kept["report"] = report(results)
    return {DATA: json.dumps({"cells": cells, **kept}, sort_keys=True) + "\n"}


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _write(texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        replace(path, text)


def stored() -> dict[Path, str]:
    """Return everything that is made from the stored run, by path."""
    return written(json.loads(DATA.read_text("utf-8")))


def written(figures: dict[str, Any]) -> dict[Path, str]:
    """Return everything that is committed and made from the figures of a run."""
    parts = {"guidance": guidance(figures["cells"], figures["report"]["machine"])}
    return {
        README: spliced(README.read_text("utf-8"), parts),
        CHOOSING: spliced(CHOOSING.read_text("utf-8"), {"costs": choosing(figures)}),
    }


def guidance(cells: Cells, machine: Iterable[str]) -> str:
    """Return the run's machine, and the cost of calls through each binding by kind of argument."""
    native = [name for name in ffi_cookbook.names() if name not in REFERENCES]
    wholes, pages = (
        {
            kind: {name: _against(cells, names, name, variant) for name in native}
            for kind, names in KINDS.items()
        }
        for variant in (" idiomatic", "")
    )
    native.sort(key=lambda name: geometric_mean(costs[name] for costs in wholes.values()))
    cheapest = {
        kind: min(cost for name, cost in costs.items() if name != "capi")
        for kind, costs in wholes.items()
    }
    rows = []
    for name in native:
        costs = [
            f"{f'**{cost}**' if name != 'capi' and of[name] <= NEAR * cheapest[kind] else cost}"
            f" ({pages[kind][name]:.1f})"
            for kind, of in wholes.items()
            for cost in [f"{of[name]:.1f}×"]
        ]
        rows.append([f"`{name}`", written_in(name), *costs])
    heads = table(["", "written in", *KINDS], rows).replace("| --: |", "| --- |", 1)
    buffers = "; ".join(f"{form} `{'`, `'.join(names)}`" for form, names in ANY_BUFFER.items())
    arrays = (
        f"An array is any object with a buffer for these: {buffers}. The others take a "
        "`numpy.ndarray` (`torch` a tensor too), and 1.0× is an access to NumPy's own struct."
    )
    return "\n\n".join([*machine, heads, EXPLAINED, arrays])


def written_in(name: str) -> str:
    """Return the language of a binding's pages."""
    suffixes = {path.suffix for path in (ROOT / "bindings" / name / "patterns").glob("scalars.*")}
    return next(language for suffix, language in WRITTEN_IN.items() if suffix in suffixes)


def _against(cells: Cells, rows: Iterable[str], name: str, variant: str) -> float:
    """Return the geometric mean of whole calls of a variant, relative to the C API's page."""
    groups = [cells[f"pattern {row}"] for row in rows]
    return geometric_mean(
        group.get(name + variant, group[name])["whole"] / group["capi"]["whole"] for group in groups
    )


def choosing(figures: Mapping[str, Any]) -> str:
    """Return the table of docs/choosing.md: by language the technologies for it, best first."""
    heads = ["your function is", "take", *(f"{title}, ns" for title in CALLS.values())]
    heads += [*(f"{term}, {unit}" for term, _, unit in FACTS), "good for"]
    rows = []
    for title, names in CODE.items():
        for name in names:
            first = title if name == names[0] else ""
            rows.append([first, f"`{name}`", *_row(figures, name), GOOD_FOR[name]])
    return table(heads, rows).replace("| --: |", "| --- |", 1)


def _row(figures: Mapping[str, Any], name: str) -> list[str]:
    calls = [_call(figures["cells"].get(f"pattern {row}", {}), name) for row in CALLS]
    found = figures["beyond"].get(name)
    return calls + [figure(found).value if found else ABSENT for _, figure, _ in FACTS]


def _call(cells: Mapping[str, Any], name: str) -> str:
    """Return the cost of code as documented, and that of our page if it is another."""
    documented = cells.get(f"{name} idiomatic")
    ours = _cost(cells.get(name))
    return f"{_cost(documented)} ({ours.partition(' ')[0]})" if documented else ours


def _cost(cell: Mapping[str, Any] | None) -> str:
    """Return a cost with half its interval, or a dash if it is not a measurement."""
    if cell is None:
        return ABSENT
    half = (cell["high"] - cell["low"]) / 2
    if cell["low"] <= 0 or half > UNKNOWN * cell["seconds"]:
        return ABSENT
    return f"{cell['marks']}{short(1e9 * cell['seconds'])} ± {short(1e9 * half)}"


def main(arguments: Sequence[str]) -> int:
    """Run the command line."""
    if "--check" in arguments:
        stale = [path for path, text in stored().items() if not _says(path, text)]
        stale += [] if _priced() else [PRICES]
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


def _says(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


def _priced() -> bool:
    """Return True if `ffi-cookbook cost` uses the prices of the stored run."""
    model = json.loads(DATA.read_text("utf-8"))["model"]
    used = json.loads(PRICES.read_text("utf-8"))["backends"]
    return all(
        used[name][kind] == {part: round(price, 2) for part, price in model[fitted][name].items()}
        for name in model["costs"]
        for kind, fitted in (("ours", "costs"), ("parts", "idiomatic"))
    )
