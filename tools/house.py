"""Print the sizes and names that the pages must keep to, and exit with 1 where one does not.

A page is a source file of a binding that a reader copies: its head says what it shows. Blank lines
are not counted. The helpers of a page are the files of the same binding that it includes or
imports, directly or not. Pages of one subject (`tokenizer.rs`, `tokenizer_batch.rs`) are read one
by one: where one names another, the other is not counted as its helper.
"""

from __future__ import annotations

import ast
import difflib
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BINDINGS = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
SOURCES = {".py", ".c", ".h", ".cpp", ".hpp", ".pyx", ".pxd", ".pxi", ".rs"}
NOT_CODE = re.compile(r"\.json$|\.lock$|/unicode16\.txt$|/corpus_")
NO_PAGES = {"build.rs", "lib.rs", "library.py", "build_library.py"}
LARGER = {
    "capi/records": 348,
    "capi/tokenizer": 228,
    "capi/tokenizer_batch": 216,
    "capi/tokenizer_calls": 207,
    "ctypes/tokenizer": 205,
    "cython/tokenizer": 201,
    "nanobind/records": 255,
    "nanobind/tokenizer": 205,
    "nanobind/tokenizer_batch": 217,
    "patterns/arrays": 201,
    "patterns/counter": 213,
    "pybind11/records": 268,
    "pybind11/tokenizer": 235,
    "pybind11/tokenizer_batch": 214,
    "pyo3/records": 262,
    "torch/tokenizer_batch": 201,
}
"""The lines of the pages that have more than 200 with their helpers.

The functions of records differ in a few lines each. What they share, arguments, buffers, arrays and
errors, is more than half of their page: each part of a page cut in two would need nearly all of it.
With the C API, sorting the arguments takes 41 lines, which a tuple and a dict for each call would
save, and raised.h, for Python 3.11 alone, 18. With pybind11, 42 lines are the guard against a
keyword that is not UTF-8.
"""
COMPILED = {".c", ".cpp", ".rs"}
SECTIONS = {
    "tokenizer": ["object"],
    "tokenizer_arguments": ["arguments"],
    "tokenizer_calls": ["kernel"],
    "tokenizer_batch": ["kernel"],
    "tokenizer_buffers": ["kernel"],
}
"""The sections of the tokenizer's pages in the bindings with a compiled page; some have more."""
RETIRED = re.compile(
    r"\b(doors?|lend|lent|mended|contestants?|rivals?|arms|twofold|K_MOST|told(?=\())\b",
    re.IGNORECASE,
)

faults: list[str] = []


def report(name: str, value: object, goal: str, holds: bool) -> None:
    """Print one line, and remember it where the goal is missed."""
    line = f"{name:52} {value!s:>8}   {goal}"
    print(line if holds else f"{line}  MISSED")
    if not holds:
        faults.append(name)


def files() -> list[Path]:
    """Return all files of the project that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    return [ROOT / name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()]


def lines(path: Path) -> int:
    """Return the number of lines that are not blank."""
    return len(re.findall(r"^.*\S", path.read_text("utf-8"), re.MULTILINE))


def is_page(path: Path) -> bool:
    """Return True for a file that a reader copies: its head says what it shows."""
    return "Shows:" in path.read_text("utf-8") and path.name not in NO_PAGES


def are_siblings(path: Path, page: Path) -> bool:
    """Return True for two pages of one subject."""
    subject = page.stem.partition("_")[0]
    return is_page(path) and path.stem.partition("_")[0] == subject


def with_helpers(page: Path, folder: Path) -> set[Path]:
    """Return a page and the files of its binding's folder that it needs."""
    needed, found = [page], set()
    while needed:
        path = needed.pop()
        found.add(path)
        text = path.read_text("utf-8")
        names = re.findall(r'^#include "([\w./]+)"', text, re.MULTILINE)
        modules = re.findall(
            rf"^from bindings\.{folder.name}\.([\w.]+) c?import", text, re.MULTILINE
        )
        for module in modules:
            names += [module.replace(".", "/") + suffix for suffix in (".py", ".pxd", ".pyx")]
        names += [f"{name}.rs" for name in re.findall(r"\buse (?:crate|super)::(\w+)", text)]
        places = (path.parent, folder, folder / "patterns")
        for name in names:
            there = [(place / name).resolve() for place in places if (place / name).is_file()]
            needed += [
                file for file in there[:1] if file not in found and not are_siblings(file, page)
            ]
    return found


def check_pages(sources: list[Path]) -> None:
    """Check the sizes of the pages, by themselves and with their helpers."""
    own, whole = {}, {}
    for name in BINDINGS:
        folder = ROOT / "bindings" / name
        for path in sources:
            if folder not in path.parents or path.suffix not in SOURCES:
                continue
            own[path] = lines(path)
            if is_page(path):
                whole[path] = sum(map(lines, with_helpers(path, folder)))
    longest = max(own, key=lambda path: own[path])
    report(
        f"longest page: {longest.relative_to(ROOT)}", own[longest], "<= 140", own[longest] <= 140
    )
    median = statistics.median(whole.values())
    name = f"pages with their helpers, median of {len(whole)}"
    report(name, median, "<= 150", median <= 150)
    limits = {page: LARGER.get(f"{page.parent.name}/{page.stem}", 200) for page in whole}
    others = [size for page, size in whole.items() if limits[page] == 200]
    name = f"largest of {len(others)} pages with their helpers"
    report(name, max(others), "<= 200", max(others) <= 200)
    for page, limit in sorted(limits.items()):
        if limit != 200:
            name = f"{page.relative_to(ROOT)} with its helpers"
            report(name, whole[page], f"<= {limit}", whole[page] <= limit)


def check_matmul(sources: list[Path]) -> None:
    """Check that the pages of matmul are short, alike, and differ where the technologies do."""
    pages = {
        path.parent.name: path
        for path in sources
        if path.stem == "matmul" and path.suffix in SOURCES
        if path.parent.name in {"python", "numpy", *BINDINGS} - {"torch"}
    }
    for name, page in pages.items():
        text = page.read_text("utf-8")
        size = len(text.splitlines())
        report(f"matmul of {name}, lines", size, "<= 80", size <= 80)
        if name in {"python", "numpy"}:
            continue
        sections = re.findall(r"^\W+ ---- (\w+) -{3}", text, re.MULTILINE)
        wanted = ["arguments", "kernel"]
        wanted += ["module"] if name in {"capi", "pybind11", "nanobind"} else []
        report(f"matmul of {name}, sections", len(sections), ", ".join(wanted), sections == wanted)
    two = [pages[name].read_text("utf-8").splitlines() for name in ("pybind11", "nanobind")]
    differing = sum(line[0] in "+-" for line in difflib.ndiff(*two))
    share = 100 * differing / sum(map(len, two))
    report("lines that differ, pybind11 and nanobind", f"{share:.1f} %", "< 45 %", share < 45)


def check_sections(sources: list[Path]) -> None:
    """Check that the pages of the tokenizer have the same sections in every binding."""
    wrong = []
    for path in sources:
        wanted = SECTIONS.get(path.stem)
        if wanted and path.parent.parent == ROOT / "bindings" and path.suffix in COMPILED:
            found = re.findall(r"^\W+ ---- (\w+) -{3}", path.read_text("utf-8"), re.MULTILINE)
            if [name for name in found if name in wanted] != wanted:
                wrong.append(str(path.relative_to(ROOT)))
    report("pages of the tokenizer with other sections", len(wrong), "0", not wrong)
    for line in wrong:
        print(f"    {line}")


def check_names(sources: list[Path]) -> None:
    """Check that no retired name is in the sources, except in the changelog."""
    checked = [
        path
        for path in sources
        if path.suffix in SOURCES | {".md", ".toml"}
        and path.relative_to(ROOT).parts[0] != "CHANGELOG.md"
        and path.relative_to(ROOT).parts[:2] != ("docs", "patterns")
        and path != Path(__file__)
    ]
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in checked
        for word in sorted(set(RETIRED.findall(path.read_text("utf-8"))))
    ]
    report("retired names", len(found), "0", not found)
    for line in found:
        print(f"    {line}")


def check_calls(sources: list[Path]) -> None:
    """Check that no call unpacks a tuple that is written out in it, to save lines."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources
        if path.suffix == ".py" and path.relative_to(ROOT).parts[:2] != ("docs", "patterns")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Tuple)
    ]
    report("unpacked tuples", len(found), "0", not found)
    for line in found:
        print(f"    {line}")


def check_totals(sources: list[Path]) -> None:
    """Print the size of the project."""
    text = [path for path in sources if not NOT_CODE.search(str(path))]
    total = 0
    for path in text:
        total += path.read_bytes().count(b"\n")
    print(f"{'lines of the project, without data':52} {total:8}")


def main() -> int:
    """Run all checks."""
    sources = files()
    check_pages(sources)
    check_matmul(sources)
    check_sections(sources)
    check_names(sources)
    check_calls(sources)
    check_totals(sources)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
