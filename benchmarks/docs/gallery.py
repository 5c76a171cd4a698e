"""The patterns on the site: a page for each with its figures, and the sources by subject.

The figures are those of the committed run. None of these pages is committed; of the other pages in
docs/patterns, the marked parts are filled.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core.pages import spliced
from benchmarks.ledger.row import Row
from benchmarks.ledger.rows import HELD_OUT, NOTES, ROWS, VARIANTS
from benchmarks.report.table import UNKNOWN, short
from ffi_cookbook.bindings.protocol import patterns as protocol

FOLDER = ROOT / "docs" / "patterns"
INDEX, CROSSINGS = FOLDER / "README.md", FOLDER / "crossings.md"
BACKENDS = [backend for backend in ffi_cookbook.names() if backend != "numpy"]
TITLES = {
    "scalars": "No argument, and scalars",
    "text": "Text and bytes",
    "arrays": "Arrays",
    "containers": "Containers",
    "objects": "Structs, objects, iterators",
    "calls": "Calls and errors",
}
SOURCES = {**TITLES, "mixed": "Several kinds at once", "idiomatic": "As documented", "fast": "Fast"}
"""The pages with whole source files, by the name of a page of the bindings."""
NET = """\
Net of an empty C function of as many arguments; `× capi` is of whole calls. *idiomatic* is the form
of the documentation where ours is another, *fast* a quicker one at a price. A name leads to the
sources."""
FENCES = {".py": "python", ".pyx": "cython", ".c": "c", ".cpp": "cpp", ".rs": "rust"}


def pages(figures: dict[str, Any]) -> dict[Path, str]:
    """Return every page of the gallery, by path; `figures` is the run that splice.py stored."""
    made = {FOLDER / f"{name}.md": _page(name, row, figures) for name, row in ROWS.items()}
    sources = {FOLDER / f"{page}_sources.md": _sources(page) for page in SOURCES}
    crossings = {CROSSINGS: _with_pages(CROSSINGS.read_text("utf-8"))}
    return {INDEX: _index(figures), **crossings, **sources, **made}


def _sources(page: str) -> str:
    """Return the whole files of a page of every binding."""
    lines = [f"# {SOURCES[page]}: the sources", "", "Each file stands whole, as it is built."]
    for backend in BACKENDS:
        folder = ROOT / "bindings" / backend
        found = [path for path in (folder / "patterns", folder) for path in path.glob(f"{page}.*")]
        for path in (path for path in found if path.suffix in FENCES):
            where, code = path.relative_to(ROOT), path.read_text("utf-8")
            lines += ["", f"## {backend}", "", f"[{where}](../../{where})", ""]
            lines += [f"```{FENCES[path.suffix]}\n{code}```"]
    return "\n".join(lines) + "\n"


def cell(figures: dict[str, Any], row: str, contender: str) -> dict[str, Any]:
    """Return the saved figures of a cell in nanoseconds; nothing if it was not measured."""
    found = figures["cells"].get(f"pattern {row}", {}).get(contender, {})
    return {key: value if key == "marks" else max(0.0, value * 1e9) for key, value in found.items()}


def _index(figures: dict[str, Any]) -> str:
    lines: list[str] = []
    for page, title in TITLES.items():
        lines += [
            "",
            f"## {title}",
            "",
            f"| | {' | '.join(BACKENDS)} |",
            "|---|" + "--:|" * len(BACKENDS),
        ]
        for name, row in ROWS.items():
            if row.page == page:
                costs = (_net(figures, name, backend) for backend in BACKENDS)
                lines.append(f"| [{name}]({name}.md) | {' | '.join(costs)} |")
    lines += [
        "",
        f"Besides these every binding has {', '.join(f'`{name}`' for name in HELD_OUT)}: several",
        "kinds of argument at once, by which the [cost model](../costs.md) is judged.",
    ]
    return spliced(INDEX.read_text("utf-8"), {"tables": "\n".join(lines[1:])})


def _page(name: str, row: Row, figures: dict[str, Any]) -> str:
    lines = [f"# {name}", "", _meaning(row), "", _crossing(name), ""]
    if name in NOTES:
        lines += [f"Measured: {NOTES[name]}.", ""]
    lines += [f"`{row.signature}`, called as `{row.statement}`.", ""]
    lines += [
        "| binding | ns | 95 % interval | whole call, ns | × capi | instructions |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    floor = cell(figures, name, "capi")
    for backend in BACKENDS:
        here, interval, whole, times = cell(figures, name, backend), "–", "–", "–"
        if here:
            interval = f"{short(here['low'])}–{short(here['high'])}"
            whole, times = short(here["whole"]), f"{here['whole'] / floor['whole']:.1f}"
        count = figures["instructions"].get(name, {}).get(backend)
        number = f"{max(0, count['instructions']):,.0f}" if count else "–"
        cells = (_net(figures, name, backend), interval, whole, times, number)
        lines.append(f"| [{backend}]({row.page}_sources.md#{backend}) | {' | '.join(cells)} |")
        for variant in VARIANTS:
            if other := cell(figures, name, f"{backend} {variant}"):
                net = _net(figures, name, f"{backend} {variant}")
                link = f"[{backend}, {variant}]({variant}_sources.md#{backend})"
                lines.append(f"| {link} | {net} | – | {short(other['whole'])} | – | – |")
    return "\n".join([*lines, "", NET]) + "\n"


def _meaning(row: Row) -> str:
    if row.page == "objects" and row.function == "Counter":
        return inspect.cleandoc(protocol.CounterObject.__doc__ or "")
    member = inspect.getattr_static(protocol.Patterns, row.function)
    return inspect.cleandoc(getattr(member, "__doc__", "") or "")


def _crossing(name: str) -> str:
    """Return the text of the pattern's section in crossings.md."""
    found = re.search(
        rf"^## {name}\n\n(.+?)(?=\n\n## |\n\Z)", CROSSINGS.read_text("utf-8"), re.S | re.M
    )
    if found is None:
        raise LookupError(f"{CROSSINGS.relative_to(ROOT)} has no section {name}")
    return _with_pages(found[1])


def _with_pages(text: str) -> str:
    """Return a text of crossings.md in which links to its sections lead to the patterns' pages."""
    return re.sub(r"\]\(#(\w+)\)", r"](\1.md)", text)


def _net(figures: dict[str, Any], row: str, contender: str) -> str:
    """Return the net cost with its marks."""
    here, floor = cell(figures, row, contender), figures["floor"][0] * 1e9
    if not here:
        return "–"
    half = (here["high"] - here["low"]) / 2
    if here["seconds"] > floor and (here["low"] <= 0 or half > UNKNOWN * here["seconds"]):
        return "–"
    value = short(here["seconds"]) if here["seconds"] > floor else f"&lt;{short(floor)}"
    return f"{here['marks']} {value}".strip()
