"""The pages under docs/ and on the site: programs run, and links and claims are correct."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.docs import site
from support.backends import binding, needs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
COMMITTED = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted(DOCS.rglob("*.md")),
]
PROGRAMS = {
    "attention.md": 2,
    "data-loading.md": 9,
    "moving.md": 3,
    "operator.md": 1,
    "ownership.md": 6,
    "record_files.md": 14,
    "tokenizer_use.md": 8,
}
QUOTED = {
    "ownership.md": (["templates"], ["c", "cpp", "cython", "rust"]),
    "patterns/shared.md": (["bindings", "c_src"], ["c", "cython", "rust"]),
}
SOURCES = {".c", ".cpp", ".pyx", ".rs"}
NEEDS = dict.fromkeys(("attention.md", "data-loading.md", "moving.md", "operator.md"), "torch")
NEEDS["tokenizer_use.md"] = "datasets"


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_of_the_page_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in NEEDS:
        needs(NEEDS[name])
        binding("capi")
    monkeypatch.chdir(tmp_path)
    found = blocks(DOCS / name, "python")
    assert len(found) == PROGRAMS[name]
    exec(compile("\n".join(found), name, "exec"), {})


@pytest.mark.parametrize("page", QUOTED)
def test_what_a_page_quotes_is_compiled(page: str) -> None:
    """Each snippet is part of a source that other tests build."""
    folders, languages = QUOTED[page]
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    sources = "".join(path.read_text("utf-8") for path in found if path.suffix in SOURCES)
    for language in languages:
        assert blocks(DOCS / page, language)
        assert all(snippet in sources for snippet in blocks(DOCS / page, language)), language


def headings(text: str) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


def dead_links(page: Path, text: str, others: Mapping[Path, str]) -> list[str]:
    """Return the links of a page that lead neither to a file nor to another page, or to no heading.

    `others` has the text of pages that are not committed, or not whole.
    """
    text, dead = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue  # a link to another site
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        if not found.exists() and found not in others:
            dead.append(target)
        elif anchor and found.suffix == ".md":
            whole = others[found] if found in others else found.read_text("utf-8")
            dead += [] if anchor in headings(whole) else [target]
    return dead


@pytest.mark.parametrize("page", COMMITTED, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_lead_somewhere(page: Path) -> None:
    """Only a page of docs may link to one that is made for the site alone."""
    others = site.pages() if DOCS in page.parents else {}
    assert not dead_links(page, page.read_text("utf-8"), others)


def test_the_links_of_the_site_lead_somewhere() -> None:
    pages = site.pages()
    dead = {page: dead_links(page, text, pages) for page, text in pages.items()}
    assert len(pages) > 35
    assert not {page: links for page, links in dead.items() if links}


def test_the_index_has_every_page() -> None:
    index = (DOCS / "README.md").read_text("utf-8")
    for page in DOCS.rglob("*.md"):
        if page.parent != DOCS / "patterns" and page.name != "README.md":
            assert f"]({page.relative_to(DOCS)})" in index, page


def test_a_link_of_the_site_leads_to_the_repository_or_to_another_page() -> None:
    text = "[a](../c_src/gemm), [b](../LICENSE), [c](README.md#x)\n```cpp\n[](int x)\n```\n"
    made = site.relinked(text, DOCS / "page.md", ROOT / "build" / "docs")
    assert made == text.replace("[a](../c_src/gemm)", "a").replace(
        "../LICENSE", "path:../../LICENSE"
    ).replace("README.md", "index.md")


def test_the_bindings_declare_what_the_page_on_free_threading_says() -> None:
    page = (DOCS / "free-threading-and-stable-abi.md").read_text("utf-8")
    rows = re.findall(r"^\| `\w+` \| `([^`]+)`.*?\]\(([^)]+)\)", page, re.MULTILINE)
    assert len(rows) == 5
    for words, path in rows:
        assert words in (DOCS / path).read_text("utf-8"), path


def test_every_term_of_the_glossary_is_used_somewhere() -> None:
    terms = re.split(r"^- ", (DOCS / "glossary.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(terms) > 40
    for term in terms:
        assert re.match(r"\*\*.+\*\*: ", term), term
        assert "](" in term.partition("\n\n")[0], f"no page for: {term}"
