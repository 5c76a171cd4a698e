"""The patterns on the site: a page for each, with the source and the figures of all bindings.

The source is cut from the bindings' pages, and the figures are those of the committed run. None of
these pages is committed; of the other pages in docs/patterns, the marked parts are filled.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core.pages import spliced
from benchmarks.docs.kit_files import c_library, names_of, text
from benchmarks.docs.kits import KITS
from benchmarks.docs.section import FENCES, home, section
from benchmarks.ledger.row import Row
from benchmarks.ledger.rows import HELD_OUT, ROWS, VARIANTS
from benchmarks.report.table import short
from ffi_cookbook.bindings.protocol import patterns as protocol

FOLDER = ROOT / "docs" / "patterns"
INDEX, CROSSINGS = FOLDER / "README.md", FOLDER / "crossings.md"
BACKENDS = [backend for backend in ffi_cookbook.names() if backend != "numpy"]
FLAGS = re.DOTALL | re.MULTILINE
TITLES = {
    "scalars": "No argument, and scalars",
    "text": "Text and bytes",
    "arrays": "Arrays",
    "containers": "Containers",
    "objects": "Structs, objects, iterators",
    "calls": "Calls and errors",
}


def pages(figures: dict[str, Any]) -> dict[Path, str]:
    """Return every page of the gallery, by path; `figures` is the run that splice.py stored."""
    made = {FOLDER / f"{name}.md": _page(name, row, figures) for name, row in ROWS.items()}
    crossings = {CROSSINGS: _with_pages(CROSSINGS.read_text("utf-8"))}
    return {INDEX: _index(figures), **crossings, **made, **technologies()}


def technologies() -> dict[Path, str]:
    """Return the page of each technology, with the files that its patterns need."""
    parts: dict[str, dict[str, str]] = {"common": c_library()}
    for name, kit in KITS.items():
        if kit.files:
            parts[name] = {file: text(name, file) for file in kit.files}
    return {
        path: spliced(
            path.read_text("utf-8"),
            {file: f"```{FENCES[Path(file).suffix]}\n{code}```" for file, code in files.items()},
        )
        for name, files in parts.items()
        for path in [FOLDER / f"{name}.md"]
    }


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
    if row.note:
        lines += [f"Measured: {row.note}.", ""]
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
        where = "" if home(name) == name else f"{home(name)}.md"
        lines.append(f"| [{backend}]({where}#{backend}) | {' | '.join(cells)} |")
    lines += ["", "Net of an empty C function of as many arguments; `× capi` is of whole calls."]
    if home(name) != name:
        lines += ["", f"The code is that of [{home(name)}]({home(name)}.md)."]
    for backend in BACKENDS:
        variants = [variant for variant in VARIANTS if cell(figures, name, f"{backend} {variant}")]
        if home(name) != name:
            lines += _costs(name, backend, variants, figures)
            continue
        lines += ["", f"## {backend}", "", *section(backend, row.page, names_of(row))]
        for variant in variants:
            lines += ["", *_variant(name, row, backend, variant, figures)]
    return "\n".join(lines) + "\n"


def _costs(name: str, backend: str, variants: list[str], figures: dict[str, Any]) -> list[str]:
    """Return the costs of a pattern's variants whose code stands on another page."""
    return [
        line
        for variant in variants
        for line in ("", f"{backend}: {_title(name, backend, variant, figures)}.")
    ]


def _meaning(row: Row) -> str:
    if row.page == "objects" and row.function == "Counter":
        return inspect.cleandoc(protocol.CounterObject.__doc__ or "")
    member = inspect.getattr_static(protocol.Patterns, row.function)
    return inspect.cleandoc(getattr(member, "__doc__", "") or "")


def _crossing(name: str) -> str:
    """Return the text of the pattern's section in crossings.md."""
    found = re.search(rf"^## {name}\n\n(.+?)(?=\n\n## |\n\Z)", CROSSINGS.read_text("utf-8"), FLAGS)
    if found is None:
        raise LookupError(f"{CROSSINGS.relative_to(ROOT)} has no section {name}")
    return _with_pages(found[1])


def _with_pages(text: str) -> str:
    """Return a text of crossings.md in which links to its sections lead to the patterns' pages."""
    return re.sub(r"\]\(#(\w+)\)", r"](\1.md)", text)


def _variant(name: str, row: Row, backend: str, variant: str, figures: dict[str, Any]) -> list[str]:
    title, costs = _title(name, backend, variant, figures).split(",")
    return [f"**{title.capitalize()}**,{costs}:", "", *section(backend, variant, names_of(row))]


def _title(name: str, backend: str, variant: str, figures: dict[str, Any]) -> str:
    here, other = (
        _net(figures, name, contender) for contender in (backend, f"{backend} {variant}")
    )
    title = {"idiomatic": "as its documentation shows it", "fast": "faster"}[variant]
    return f"{title}, {other} ns instead of {here}"


def _net(figures: dict[str, Any], row: str, contender: str) -> str:
    """Return the net cost with its marks."""
    here, floor = cell(figures, row, contender), figures["floor"][0] * 1e9
    if not here:
        return "–"
    value = short(here["seconds"]) if here["seconds"] > floor else f"&lt;{short(floor)}"
    return f"{here['marks']} {value}".strip()
