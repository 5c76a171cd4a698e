"""Print the sizes and names that the pages must keep to, and exit with 1 where one does not.

A page is a source file of a binding that a reader copies: its head says what it shows. The helpers
of a page are the files that it includes or imports, directly or not.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BINDINGS = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
SOURCES = {".py", ".c", ".h", ".cpp", ".hpp", ".pyx", ".pxd", ".pxi", ".rs"}
NO_PAGES = {"build.rs", "lib.rs", "library.py", "build_library.py"}
MOST_FILES = 9
"""The most files in which a page is read. Most calls need three: page, helper, kernel's header."""
PRIVATE = re.compile(
    r"\b((?:py|nb)::detail::(?!type_caster|handle_type_name|const_name)\w+|npy_api|PyArray_\w+"
    r"|npyffi|torch\._C)\b"
)
"""What a tool keeps to itself. Its documentation says to write casters in `detail`."""
EXCEPTIONS = {
    "pybind11/tokenizer.cpp": "a constructor that is called again while it runs",
    "pybind11/instances.hpp": "an object made by __new__ alone, which would end the process",
    "pybind11/patterns/arrays.cpp": "the flag of an aligned array, which pybind11 has no name for",
    "nanobind/tokenizer.cpp": "NumPy's API: nb::ndarray takes longer than encoding a short text",
    "pyo3/memory.rs": "memory that runs out is an exception, and not a panic; no leak in resize",
    "pyo3/patterns/arrays.rs": "whether an array is writable, without borrowing it",
    "pyo3/ndarrays.rs": "whether an array is writable, without borrowing it",
    "torch/library.py": "the versions of tensors that an operator writes to",
    "torch/derivatives.py": "what torch.library.register_autograd is made of",
}
"""The pages that use what a tool calls private, by what nothing public does; `fast` may."""
RETIRED = re.compile(
    r"\b(doors?|lend|lent|mended|contestants?|rivals?|arms|twofold|tuned|K_MOST|told(?=\())\b",
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


def is_page(path: Path) -> bool:
    """Return True for a file that a reader copies: its head says what it shows."""
    return "Shows:" in path.read_text("utf-8") and path.name not in NO_PAGES


def with_helpers(page: Path, folder: Path) -> set[Path]:
    """Return a page and the files of its binding's folder that it needs."""
    needed, found = [page], set()
    while needed:
        path = needed.pop()
        found.add(path)
        text = path.read_text("utf-8")
        names = re.findall(r'^#include "([\w./]+)"', text, re.MULTILINE)
        modules = re.findall(
            rf"^from ffi_cookbook\.bindings\.{folder.name}\.([\w.]+) c?import", text, re.MULTILINE
        )
        for module in modules:
            names += [module.replace(".", "/") + suffix for suffix in (".py", ".pxd", ".pyx")]
        names += [f"{name}.rs" for name in re.findall(r"\buse (?:crate|super)::(\w+)", text)]
        places = (path.parent, folder, folder / "patterns")
        for name in names:
            there = [(place / name).resolve() for place in places if (place / name).is_file()]
            needed += [file for file in there[:1] if file not in found]
    return found


def check_pages(sources: list[Path]) -> None:
    """Check in how many files the pages are read."""
    read = {
        path: with_helpers(path, ROOT / "bindings" / name)
        for name in BINDINGS
        for path in sources
        if ROOT / "bindings" / name in path.parents and path.suffix in SOURCES and is_page(path)
    }
    longest = max(read, key=lambda page: len(read[page]))
    name = f"files of {longest.relative_to(ROOT)}"
    report(name, len(read[longest]), f"<= {MOST_FILES}", len(read[longest]) <= MOST_FILES)


def check_private(sources: list[Path]) -> None:
    """Check that no page but the listed ones uses a private namespace of its tool."""
    users = set()
    for path in sources:
        place = path.relative_to(ROOT).as_posix().removeprefix("bindings/")
        binding = place.partition("/")[0]
        if binding not in BINDINGS or path.suffix not in SOURCES or path.stem == "fast":
            continue
        found = set(PRIVATE.findall(path.read_text("utf-8")))
        if binding in {"capi", "cython"}:  # NumPy's API is their way
            found = {name for name in found if not name.startswith("PyArray_")}
        if found:
            users.add(place)
    wrong = users ^ EXCEPTIONS.keys()
    name = ", ".join(["private names of a tool, or exceptions without", *sorted(wrong)])
    report(name, len(wrong), "0", not wrong)


def check_matmul(sources: list[Path]) -> None:
    """Check that the pages of matmul have the same sections."""
    for page in sources:
        name = page.parent.name
        if page.stem != "matmul" or page.suffix not in SOURCES or name not in BINDINGS[:-1]:
            continue
        text = page.read_text("utf-8")
        sections = re.findall(r"^\W+ ---- (\w+) -{3}", text, re.MULTILINE)
        wanted = ["arguments", "kernel"]
        wanted += ["module"] if name in {"capi", "pybind11", "nanobind"} else []
        report(f"matmul of {name}, sections", len(sections), ", ".join(wanted), sections == wanted)


def check_names(sources: list[Path]) -> None:
    """Check that no retired name is in the sources, except in the changelog."""
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in sources
        if path.suffix in SOURCES | {".md", ".toml"}
        if path not in (ROOT / "CHANGELOG.md", Path(__file__))
        for word in sorted(set(RETIRED.findall(path.read_text("utf-8"))))
    ]
    report(", ".join(["retired names", *found]), len(found), "0", not found)


def main() -> int:
    """Run all checks."""
    sources = files()
    check_pages(sources)
    check_matmul(sources)
    check_private(sources)
    check_names(sources)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
