"""`python benchmarks site FOLDER`: write the pages of the site into a new folder, for Sphinx.

They are the pages of docs, whose marked parts are filled here, the sources by subject, and the
report of the committed run. What is filled in or made here is not committed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import ffi_cookbook
from benchmarks import DOCS, ROOT
from benchmarks.core.pages import spliced, table
from benchmarks.docs.splice import DATA
from benchmarks.ledger import storage
from benchmarks.ledger.results import Results
from benchmarks.ledger.rows import HELD_OUT, ROWS, VARIANTS
from benchmarks.report.page import html
from benchmarks.report.tables import cost

CODE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
PATTERNS = DOCS / "patterns"
INDEX = PATTERNS / "README.md"
BACKENDS = [backend for backend in ffi_cookbook.names() if backend != "numpy"]
PAGES = list(dict.fromkeys(row.page for row in ROWS.values()))
SOURCES = (*PAGES, *VARIANTS)
"""The pages with whole source files, by the name of a page of the bindings."""
FENCES = {".py": "python", ".pyx": "cython", ".c": "c", ".cpp": "cpp", ".rs": "rust"}


@cache
def pages() -> dict[Path, str]:
    """Return each page of the site, by the path that it has in docs, or would have."""
    results = storage.read(json.loads(DATA.read_text("utf-8")))
    committed = {path: path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    return {
        **committed,
        INDEX: spliced(committed[INDEX], {"tables": "\n".join(_index(results))}),
        **{PATTERNS / f"{page}_sources.md": _sources(page) for page in SOURCES},
    }


def _sources(page: str) -> str:
    """Return the whole files of a page of every binding."""
    lines = [f"# {page.capitalize()}: the sources", "", "Each file stands whole, as it is built."]
    for backend in BACKENDS:
        folder = ROOT / "bindings" / backend
        found = sorted(folder.rglob(f"{page}.*"), key=lambda path: -len(path.parts))
        for path in (path for path in found if path.suffix in FENCES):
            where, code = path.relative_to(ROOT), path.read_text("utf-8")
            lines += ["", f"## {backend}", "", f"[{where}](../../{where})", ""]
            lines += [f"```{FENCES[path.suffix]}\n{code}```"]
    return "\n".join(lines) + "\n"


def _index(results: Results) -> Iterator[str]:
    for page in PAGES:
        rows = [
            [f"[{name}](crossings.md#{name})", *(_cost(results, name, one) for one in BACKENDS)]
            for name, row in ROWS.items()
            if row.page == page
        ]
        yield f"## {page.capitalize()}\n\n{table(['', *BACKENDS], rows)}\n"
    yield f"Besides these every binding has {', '.join(f'`{name}`' for name in HELD_OUT)}: several"
    yield "kinds of argument at once, by which the [cost model](../costs.md) is judged."


def _cost(results: Results, row: str, backend: str) -> str:
    figure = cost(results, row, backend, backend)
    return f"{figure.marks} {figure.value}".strip().replace("<", "&lt;").replace("*", r"\*")


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
    document = json.loads(DATA.read_text("utf-8"))
    page = html(storage.read(document), document, "patterns/{page}_sources.html#{binding}")
    (folder / "report.html").write_text(page, "utf-8")
    (folder / "latest.json").write_bytes(DATA.read_bytes())
    return 0
