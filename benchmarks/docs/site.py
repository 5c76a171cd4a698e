"""`python benchmarks site FOLDER`: write the pages of the site into a new folder, for Sphinx.

They are the pages of docs, whose marked parts are filled here, and pages that are made of sources
and stored figures alone. What is filled in or made here is not committed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from benchmarks import DOCS
from benchmarks.core.pages import spliced
from benchmarks.docs import gallery
from benchmarks.docs.splice import DATA
from benchmarks.report.markdown import page

RESULTS = DOCS / "results.md"
CODE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


@cache
def pages() -> dict[Path, str]:
    """Return each page of the site, by the path that it has in docs, or would have."""
    figures = json.loads(DATA.read_text("utf-8"))
    committed = {path: path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    return {
        **committed,
        **gallery.pages(figures),
        RESULTS: spliced(committed[RESULTS], {"tables": page(figures["report"])}),
    }


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
