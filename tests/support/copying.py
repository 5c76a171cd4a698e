"""Projects made of the code blocks of the site's patterns, copied unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.docs import site
from support import projects

DOCS = Path(__file__).parents[2] / "docs"
PATTERNS = DOCS / "patterns"
TECHNOLOGIES = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
VARIANTS = {"": "", "**As its documentation shows it**": "idiomatic", "**Faster**": "fast"}
SOURCES = {
    "capi": "src/native.c",
    "cython": "src/patterns/_native.pyx",
    "pybind11": "src/native.cpp",
    "nanobind": "src/native.cpp",
    "torch": "src/operators.cpp",
}
"""Where the code is pasted; elsewhere each pattern is a file of its own."""
MARKS = {
    "": r"^(?://|/\*|#) The (?:functions|operators|code) of the \w+ stands? here\.",
    "module": r"^  // What registers them stands here\.",
    "methods": r"^    /\* Their lines stand here\.",
    "exec": r"^  /\* What fills the state stands here\.",
}
"""By what a block's caption names, the comment before which it is pasted."""
OWN_LIBRARY = ("pyo3",)
"""Technologies whose work is not in C."""
CALL_BACK = re.compile(r"(return |Ok\()(function\(x(?:, context)?\)\??)")
"""The place where the callback's native function calls, in C, Cython and Rust."""


class Block(NamedTuple):
    """A code block of a pattern's page."""

    place: str
    """Where its caption says that it belongs; empty: with the functions."""
    language: str
    code: str


def blocks(technology: str, variant: str = "") -> dict[str, list[Block]]:
    """Return the code of a technology by pattern, from every page that has some."""
    found = {name: on_page(text, technology, variant) for name, text in pattern_pages().items()}
    return {pattern: own for pattern, own in found.items() if own}


def pattern_pages() -> dict[str, str]:
    """Return the text of each page of the patterns by name, as it is on the site."""
    return {
        path.stem: text for path, text in sorted(site.pages().items()) if path.parent == PATTERNS
    }


def on_page(text: str, technology: str, variant: str = "") -> list[Block]:
    """Return the code blocks of a technology's section in the text of a page."""
    found = re.search(rf"^## {technology}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return list(_of_variant(found[1], variant)) if found else []


def _of_variant(section: str, variant: str) -> Iterator[Block]:
    current, before = "", ""
    for part in re.split(r"^(```\w+\n.*?^```)$", section, flags=re.DOTALL | re.MULTILINE):
        if not part.startswith("```"):
            before = part
            for title in re.findall(r"^\*\*[^*]+\*\*", part, re.MULTILINE):
                current = VARIANTS[title]
        elif current == variant:
            language, _, code = part.strip("`").partition("\n")
            caption = re.search(r"^In (?:the table )?`(\w+)`:$", before, re.MULTILINE)
            yield Block(caption[1] if caption else "", language, code)


def project(
    technology: str, patterns: Mapping[str, list[Block]], variant: str = ""
) -> dict[str, str]:
    """Return the files of a project: the files on the technology's page, with these patterns."""
    files = _skeleton(technology)
    for pattern, own in patterns.items():
        if variant and technology == "torch":  # the operators that the page registers
            page = on_page(pattern_pages()[pattern], technology)
            own = [*(block for block in page if block.language == "cpp"), *own]
        _paste(files, technology, f"src/patterns/{pattern}.py", own)
    return files


def calling_thrice(files: dict[str, str]) -> dict[str, str]:
    """Return a project whose native function calls back three times and uses the last result."""
    again = {name: CALL_BACK.sub(r"\2; \2; \1\2", text) for name, text in files.items()}
    assert again != files, "nothing calls back"
    return again


def _skeleton(technology: str) -> dict[str, str]:
    pages = (pattern_pages()[name] for name in ("common", technology))
    files = dict(file for page in pages for file in projects.FILE.findall(page))
    if technology in OWN_LIBRARY:
        return {name: text for name, text in files.items() if not name.startswith("native/")}
    return files


def _paste(files: dict[str, str], technology: str, module: str, own: list[Block]) -> None:
    """Put code in the place that its technology's page names."""
    for block in own:
        if technology == "pyo3":
            name = Path(module).stem
            files[f"src/{name}.rs"] = block.code
            _name_in_lib(files, name, block.code)
        elif block.language == "python":
            files[module] = block.code
        else:
            path = SOURCES[technology]
            files[path] = pasted(files[path], block)


def pasted(source: str, block: Block) -> str:
    """Return a source file with a block inserted before the comment that names its place.

    A block that is there already is not inserted twice.
    """
    code, between = block.code.strip("\n"), r"\n\n"
    if not block.place:
        between = r"\n{2,}(?=[^\s})])"  # between definitions
        for line in re.findall(r"^#(?:include|define) .*\n", code, re.MULTILINE):
            code = code.replace(line, "", 1)
            source = source if line in source else line + source
    mark = re.search(MARKS.get(block.place, MARKS["module"]), source, re.MULTILINE)
    assert mark, f"nothing says where {block.place!r} stands"
    pieces = [piece for piece in re.split(between, code) if f"\n{piece}\n" not in source]
    start, end = source[: mark.start()], source[mark.start() :]
    return start + "".join(f"{piece}\n\n" for piece in pieces) + end


def _name_in_lib(files: dict[str, str], pattern: str, code: str) -> None:
    """Declare a file in src/lib.rs, and the functions and classes that it has for Python."""
    made = r"#\[py(?:function|class)\b.*?pub (?:fn|struct) (\w+)"
    lines = {
        r"^// The files of the \w+ stand here\.": f"mod {pattern};\n",
        r"^    // Their functions stand here\.": "".join(
            f"    #[pymodule_export]\n    use super::{pattern}::{name};\n"
            for name in re.findall(made, code, re.DOTALL)
            if f"::{name};" not in files["src/lib.rs"]
        ),
    }
    for place, more in lines.items():
        mark = re.search(place, files["src/lib.rs"], re.MULTILINE)
        assert mark, f"nothing says where {more!r} stands"
        files["src/lib.rs"] = files["src/lib.rs"].replace(mark[0], more + mark[0])


def homes() -> dict[str, str]:
    """Return for each pattern the pattern whose page has its code."""
    found = {}
    for name, text in pattern_pages().items():
        home = re.search(r"^The code is that of \[(\w+)\]", text, re.MULTILINE)
        if "\n## capi\n" in text or home:
            found[name] = home[1] if home else name
    return found
