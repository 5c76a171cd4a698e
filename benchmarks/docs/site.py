"""`python benchmarks site FOLDER`: write the pages of the site into a new folder, for Sphinx.

They are the pages of docs, whose marked parts are filled here, and pages that are made of sources
and the figures of the committed run alone: one for each pattern, and the sources by subject. What
is filled in or made here is not committed.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import ffi_cookbook
from benchmarks import DOCS, ROOT
from benchmarks.core.figures import table
from benchmarks.core.pages import spliced
from benchmarks.docs.splice import DATA
from benchmarks.ledger.rows import HELD_OUT, NOTES, ROWS, VARIANTS, Row
from benchmarks.report.page import markdown
from benchmarks.report.tables import ABSENT, UNKNOWN, short
from ffi_cookbook.bindings.protocol import patterns as protocol

RESULTS = DOCS / "results.md"
CODE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
PATTERNS = DOCS / "patterns"
INDEX, CROSSINGS = PATTERNS / "README.md", PATTERNS / "crossings.md"
BACKENDS = [backend for backend in ffi_cookbook.names() if backend != "numpy"]
TITLES = {
    "scalars": "No argument, and scalars",
    "text": "Text and bytes",
    "arrays": "Arrays",
    "containers": "Containers",
    "objects": "Structs, objects, iterators",
    "calls": "Calls and errors",
}
SOURCES = {**TITLES, "idiomatic": "As documented", "fast": "Fast"}
"""The pages with whole source files, by the name of a page of the bindings."""
NET = """
Net of an empty C function of as many arguments; `× capi` is of whole calls. *idiomatic* is the form
of the documentation where ours is another, *fast* a quicker one at a price. A name leads to the
sources.
"""
FENCES = {".py": "python", ".pyx": "cython", ".c": "c", ".cpp": "cpp", ".rs": "rust"}


@cache
def pages() -> dict[Path, str]:
    """Return each page of the site, by the path that it has in docs, or would have."""
    figures = json.loads(DATA.read_text("utf-8"))
    committed = {path: path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    return {
        **committed,
        RESULTS: spliced(committed[RESULTS], {"tables": markdown(figures["report"])}),
        INDEX: spliced(committed[INDEX], {"tables": "\n".join(_index(figures))}),
        CROSSINGS: _with_pages(committed[CROSSINGS]),
        **{PATTERNS / f"{page}_sources.md": _sources(page) for page in SOURCES},
        **{PATTERNS / f"{name}.md": _pattern(name, row, figures) for name, row in ROWS.items()},
    }


def _sources(page: str) -> str:
    """Return the whole files of a page of every binding."""
    lines = [f"# {SOURCES[page]}: the sources", "", "Each file stands whole, as it is built."]
    for backend in BACKENDS:
        folder = ROOT / "bindings" / backend
        found = sorted(folder.rglob(f"{page}.*"), key=lambda path: -len(path.parts))
        for path in (path for path in found if path.suffix in FENCES):
            where, code = path.relative_to(ROOT), path.read_text("utf-8")
            lines += ["", f"## {backend}", "", f"[{where}](../../{where})", ""]
            lines += [f"```{FENCES[path.suffix]}\n{code}```"]
    return "\n".join(lines) + "\n"


def _index(figures: dict[str, Any]) -> Iterator[str]:
    for page, title in TITLES.items():
        rows = [
            [f"[{name}]({name}.md)", *(_figures(figures, name, one)[0] for one in BACKENDS)]
            for name, row in ROWS.items()
            if row.page == page
        ]
        yield f"## {title}\n\n{table(['', *BACKENDS], rows)}\n"
    yield f"Besides these every binding has {', '.join(f'`{name}`' for name in HELD_OUT)}: several"
    yield "kinds of argument at once, by which the [cost model](../costs.md) is judged."


def _pattern(name: str, row: Row, figures: dict[str, Any]) -> str:
    """Return the page of a pattern: its meaning, what crosses the boundary, and its figures."""
    crossing = re.search(
        rf"^## {name}\n\n(.+?)(?=\n\n## |\n\Z)", CROSSINGS.read_text("utf-8"), re.S | re.M
    )
    if crossing is None:
        raise LookupError(f"{CROSSINGS.relative_to(ROOT)} has no section {name}")
    parts = [f"# {name}", _meaning(row), _with_pages(crossing[1])]
    parts += [f"Measured: {NOTES[name]}."] if name in NOTES else []
    parts += [f"`{row.signature}`, called as `{row.statement}`."]
    rows = []
    for backend in BACKENDS:
        link = f"[{backend}]({row.page}_sources.md#{backend})"
        rows.append([link, *_figures(figures, name, backend)])
        for variant in VARIANTS:
            contender = f"{backend} {variant}"
            if contender in figures["cells"].get(f"pattern {name}", {}):
                link = f"[{backend}, {variant}]({variant}_sources.md#{backend})"
                rows.append([link, *_figures(figures, name, contender)])
    heads = ["binding", "ns", "95 % interval", "whole call, ns", "× capi", "instructions"]
    return "\n\n".join([*parts, table(heads, rows)]) + "\n" + NET


def _meaning(row: Row) -> str:
    if row.page == "objects" and row.function == "Counter":
        return inspect.cleandoc(protocol.CounterObject.__doc__ or "")
    member = inspect.getattr_static(protocol.Patterns, row.function)
    return inspect.cleandoc(getattr(member, "__doc__", "") or "")


def _with_pages(text: str) -> str:
    """Return a text of crossings.md in which links to its sections lead to the patterns' pages."""
    return re.sub(r"\]\(#(\w+)\)", r"](\1.md)", text)


def _figures(figures: dict[str, Any], row: str, contender: str) -> list[str]:
    """Return the net cost with its marks, its interval, the whole call, and the instructions."""
    cells, floor = figures["cells"].get(f"pattern {row}", {}), figures["floor"][0]
    count = figures["instructions"].get(row, {}).get(contender)
    counted = f"{max(0, count['instructions']):,.0f}" if count else ABSENT
    if contender not in cells:
        return [ABSENT] * 4 + [counted]
    here = cells[contender]
    net, low, high = (max(0.0, here[key]) for key in ("seconds", "low", "high"))
    value = short(1e9 * net) if net > floor else f"&lt;{short(1e9 * floor)}"
    if net > floor and (low <= 0 or (high - low) / 2 > UNKNOWN * net):
        return [ABSENT] * 4 + [counted]
    times = f"{here['whole'] / cells['capi']['whole']:.1f}"
    interval = f"{short(1e9 * low)}–{short(1e9 * high)}"
    return [
        f"{here['marks']} {value}".strip(),
        interval,
        short(1e9 * here["whole"]),
        times,
        counted,
    ]


def relinked(text: str, path: Path, folder: Path) -> str:
    """Return a page with links that work in the site's folder.

    A file of the repository becomes a download. Only the words of a link to a folder remain.
    """
    place = (folder / path.relative_to(DOCS)).parent

    def link(found: re.Match[str]) -> str:
        target, anchor = (path.parent / found[2]).resolve(), found[3] or ""
        if DOCS in target.parents and target.suffix == ".md":
            return f"[{found[1]}]({_named(Path(found[2]))}{anchor})"
        if target.is_dir():
            return found[1]
        return f"[{found[1]}](path:{os.path.relpath(target, place)})"

    parts = CODE.split(text)
    return "".join(part if CODE.match(part) else LINK.sub(link, part) for part in parts)


def with_contents(text: str) -> str:
    """Return an index with the pages that each section links to, as Sphinx's table of contents."""
    lines, listed = [text], set[str]()
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        links = [found[2] for found in LINK.finditer(section) if found[2].endswith(".md")]
        new = [link for link in dict.fromkeys(links) if link not in listed and ".." not in link]
        title = re.match("## (.*)", section)
        caption = [f":caption: {title[1]}"] if title else []
        lines += ["```{toctree}", ":hidden:", *caption, "", *new, "```", ""] if new else []
        listed.update(new)
    return "\n".join(lines)


def _named(path: Path) -> Path:
    return path.with_name("index.md") if path.name == "README.md" else path


def main(arguments: Sequence[str]) -> int:
    """Write the site's pages into a new folder."""
    folder = Path(arguments[0]).resolve()
    folder.mkdir(parents=True)
    for path, text in pages().items():
        place = _named(folder / path.relative_to(DOCS))
        place.parent.mkdir(parents=True, exist_ok=True)
        text = relinked(text, path, folder)
        place.write_text(with_contents(text) if place.name == "index.md" else text, "utf-8")
    return 0
