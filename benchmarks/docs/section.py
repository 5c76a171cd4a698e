"""A section of a pattern's page: its code in one binding, and the files that it needs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from benchmarks.docs.kits import BINDINGS, KITS, Source
from benchmarks.docs.source import LANGUAGES, sources
from benchmarks.ledger.rows import ROWS

ROOT = BINDINGS.parent
FENCES = {**LANGUAGES, ".h": "c", ".hpp": "cpp", ".pxd": "cython"}
BUILT_IN = {"double", "int", "int64_t", "uint64_t", "uint8_t"}
"""Types of C++ whose conversion is a helper."""
COMMON = "src/patterns/errors.py"
"""A file of common.md."""


def home(name: str) -> str:
    """Return the pattern whose page shows the code of this one."""
    row = ROWS[name]
    same = [one for one, other in ROWS.items() if other.function == row.function]
    return row.function if row.function in same else same[0]


def anchor(file: str) -> str:
    """Return the anchor that GitHub gives to a heading that is a file name."""
    return re.sub(r"[^\w-]", "", file).lower()


def section(backend: str, page: str, names: Collection[str]) -> list[str]:
    """Return the lines of a section."""
    lines: list[str] = []
    for one in sources(backend, page, names):
        where = one.path.relative_to(ROOT)
        lines += [f"[{where}](../../{where}){_needs(backend, one)}", ""]
        for caption, code in _blocks(backend, one):
            lines += [*([f"{caption}:", ""] if caption else []), f"```{FENCES[one.path.suffix]}"]
            lines += [code, "```", ""]
    return lines[:-1]


def _blocks(backend: str, one: Source) -> Iterator[tuple[str, str]]:
    place = KITS[backend].place
    parts = [one.text, one.registration]
    if not place:
        parts = ["\n\n".join(part for part in parts if part), ""]
    if parts[0]:
        yield "", parts[0]
    if parts[1]:
        yield place, parts[1]
    if one.state:
        yield "In `exec`", one.state


def _needs(backend: str, one: Source) -> str:
    """Return the names that the code uses from each file, with links to the files."""
    code = "\n".join((one.text, one.registration))
    parts = [
        " of ".join((*_listed(names), f"[{Path(file).name}]({backend}.md#{anchor(file)})"))
        for file, names in one.needs.items()
        if file != COMMON and not file.endswith("_native.py")
    ]
    if functions := sorted(set(re.findall(r"\bck_[a-z]\w*", code))):
        parts.append(f"{_listed(functions)[0]} of [the C library](common.md)")
    if "PatternError" in code and backend != "python":
        parts.append(f"`PatternError` of [errors.py](common.md#{anchor(COMMON)})")
    return f", with {'; '.join(parts)}" if parts and backend != "python" else ""


def _listed(names: Collection[str]) -> list[str]:
    """Return a list of names, or nothing if all are built-in types of C++."""
    own = [f"`{name}`" for name in names if name not in BUILT_IN]
    return [", ".join(own)] if own else []
