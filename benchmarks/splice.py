"""`python benchmarks/splice.py [RUN.json]`: writes the figures of a saved run into README.md and
docs.

No number there is typed by hand. RUN.json (bench/latest.json, which `nox -s bench -- --publish`
takes) becomes docs/results.{md,json} and bindings/costs/measured.json, and of these the marked
parts of README.md and the gallery are made. Without a run all pages are made again from the kept
figures; `--check` only fails where a page says anything else. So too the pages that have kept runs
of their own (docs/ladder.md, docs/tokenizer-speed.md, docs/records-speed.md), and the source shown
in docs/bind-an-existing-library.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import gallery
from encoders import pages as encoders
from ladder import pages as ladder
from marked import replace, spliced
from readers import pages as readers
from rows import HEADLINE, KINDS

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
KEYS = ("seconds", "low", "high")
PAGE, DATA = ROOT / "docs" / "results.md", ROOT / "docs" / "results.json"
BINDING, BLAS = ROOT / "docs" / "bind-an-existing-library.md", ROOT / "benchmarks" / "blas.py"
SHOWN = ("Cost of a call", "matmul", "records", "tokenizer")
ASKED = {"|", "×", *HEADLINE}
DOORS = ("capi", "cython", "pyo3", "nanobind", "pybind11", "cffi", "ctypes", "torch")
Cells = dict[str, dict[str, dict[str, float]]]
"""By group and contestant the `seconds` of the figure, its interval `low` to `high`, and the
seconds of the `whole` statement."""


def publish(run: Path) -> None:
    """Keep a saved run, and write every page that is made of it."""
    _take(json.loads(run.read_text("utf-8")))
    _write()


def _take(document: dict[str, Any]) -> None:
    from model import costs  # these need what only a run needs
    from options import KERNELS
    from report.ledger import cost
    from report.markdown import markdown
    from report.page import saved

    results = saved.read(document)
    cells = {
        group: {
            name: {
                **{key: _rounded(value) for key, value in zip(KEYS, cell.estimate, strict=True)},
                "whole": _rounded(cell.gross.value),
                "marks": cost(results, group.removeprefix("probe "), name.split()[0], name).marks
                if group.startswith("probe ")
                else "",
            }
            for name, cell in contestants.items()
        }
        for group, contestants in sorted(results.cells.items())
        if not group.startswith("even ")
    }
    kept = {name: document[name] for name in ("instructions", "beyond", "model", "floor")}
    replace(DATA, json.dumps({"cells": cells, **kept}, sort_keys=True) + "\n")
    costs.keep(document)
    replace(PAGE, markdown(results, list(KERNELS)))


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _write() -> None:
    for path, text in written().items():
        replace(path, text)


def written() -> dict[Path, str]:
    """Everything that is made of the kept run, by path."""
    figures = json.loads(DATA.read_text("utf-8"))
    parts = {"results": results(), "guidance": guidance(figures["cells"])}
    source = {"blas.py": f"```python\n{BLAS.read_text('utf-8')}```"}
    return {
        README: spliced(README.read_text("utf-8"), parts),
        BINDING: spliced(BINDING.read_text("utf-8"), source),
        **gallery.pages(figures),
        **ladder.written(),
        **encoders.written(),
        **readers.written(),
    }


def results() -> str:
    """The page's head, and of its tables those of the README."""
    title, _, page = PAGE.read_text("utf-8").partition("\n")
    assert title.startswith("# ")
    head, *tables = page.split("\n## ")
    kept = [_shortened(table) for table in tables if table.startswith(SHOWN)]
    return "\n### ".join([head.strip() + "\n", *kept]).strip()


def _shortened(table: str) -> str:
    """Of the ledger the rows that most people ask for."""
    lines = table.split("\n")
    rows = [line for line in lines if not line.startswith("| ") or line.split()[1] in ASKED]
    return "\n".join(rows if table.startswith(SHOWN[0]) else lines)


def guidance(cells: Cells) -> str:
    """Return what whole calls cost through each binding by kind of argument, and from which size
    of work on that is lost."""
    by_kind = {
        kind: {door: _against(cells, names, door) for door in DOORS}
        for kind, names in KINDS.items()
    }
    lines = [
        "What a whole call costs, against the same call through the C API, by kind of argument",
        "(geometric means over patterns):",
        "",
        f"| | {' | '.join(f'`{door}`' for door in DOORS)} | cheapest |",
        "|---|" + "--:|" * len(DOORS) + "---|",
    ]
    for kind, by_door in by_kind.items():
        tools = sorted((door for door in DOORS if door != "capi"), key=by_door.__getitem__)
        near = [door for door in tools if by_door[door] <= 1.1 * by_door[tools[0]]]
        ratios = " | ".join(f"{by_door[door]:.1f}×" for door in DOORS)
        lines.append(f"| {kind} | {ratios} | {', '.join(f'`{door}`' for door in near)} |")
    cxx = []
    for kind, by_door in by_kind.items():
        cheap, dear = sorted(("pybind11", "nanobind"), key=by_door.__getitem__)
        cxx.append(f"{kind} `{cheap}` ({by_door[cheap]:.1f}× against {by_door[dear]:.1f}×)")
    lines += ["", f"Of the two for C++ the cheaper one: {', '.join(cxx)}.", "", extremes(cells)]
    return "\n".join([*lines, "", break_even(cells)])


def extremes(cells: Cells) -> str:
    """Return which binding's calls cost least, and which cost most, over all patterns of KINDS."""
    rows = [row for names in KINDS.values() for row in names]
    over_all = {door: _against(cells, rows, door) for door in DOORS}
    least, *_, most = sorted(DOORS, key=over_all.__getitem__)
    return (
        f"Over all these patterns a call through `{least}` costs least "
        f"({over_all[least]:.1f}×) and one through `{most}` most ({over_all[most]:.1f}×)."
    )


def _against(cells: Cells, rows: Iterable[str], door: str) -> float:
    """Return the geometric mean of whole calls against the C API's."""
    return geometric_mean(
        cells[f"probe {row}"][door]["whole"] / cells[f"probe {row}"]["capi"]["whole"]
        for row in rows
    )


def break_even(cells: Cells) -> str:
    """From which size of product on a door that shares the C kernel is within 5 % of the C API."""
    sizes = sorted(
        int(size) for size in (group.removeprefix("matmul ") for group in cells) if size.isdigit()
    )
    found = []
    for door in ("nanobind", "pybind11", "cffi", "ctypes", "torch"):
        near = None
        for size in reversed(sizes):
            times = cells[f"matmul {size}"]
            if times[door]["seconds"] > 1.05 * times["capi"]["seconds"]:
                break
            near = size
        found.append(f"`{door}` " + (f"from N = {near}" if near else f"beyond N = {sizes[-1]}"))
    return (
        "Where the work outweighs the call, the choice stops mattering. The product of two N×N\n"
        f"float32 matrices takes within 5 % of what it takes through the C API: {', '.join(found)}."
    )


def main() -> int:
    """The command line."""
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in written().items() if not _says(path, text)]
        print(*(f"{path} is not what the kept run says" for path in stale), sep="\n")
        return int(bool(stale))
    if runs := sys.argv[1:]:
        publish(Path(runs[0]))
    else:
        _write()
    return 0


def _says(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
