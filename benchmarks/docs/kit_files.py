"""The files of a kit in the form that a reader saves: only the definitions in use."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from benchmarks.docs import imports
from benchmarks.docs.definitions import Definition, needed
from benchmarks.docs.kits import BINDINGS, KITS, PACKAGE, kit, linked, renamed
from benchmarks.docs.source import sources
from benchmarks.docs.source_python import together
from benchmarks.ledger.row import Row
from benchmarks.ledger.rows import ROWS


def names_of(row: Row) -> set[str]:
    """Return the function of a row, and the classes of its arguments and results."""
    return {row.function, *re.findall(r"\bPoint\b", row.signature)}


@cache
def _chosen(backend: str) -> dict[str, set[Definition]]:
    """Return, by file of the kit, the definitions that the patterns use, directly or not."""
    used: dict[str, set[str]] = {file: set() for file in KITS[backend].files}
    for row in ROWS.values():
        for page in (row.page, "idiomatic", "fast"):
            for one in sources(backend, page, names_of(row)):
                for file, names in one.needs.items():
                    for other in linked(backend, file) if file in used else ():
                        used[other].update(names)
    chosen: dict[str, set[Definition]] = {file: set() for file in used}
    before = None
    while before != (before := sum(map(len, chosen.values()))):
        for file, found in chosen.items():
            own = [one for one in kit(backend, file) if one.names]
            found.update(needed((one for one in own if one.names & used[file]), own))
            for other in linked(backend, file):
                used[other] = used[other].union(*(one.used for one in found))
    return chosen


def text(backend: str, file: str) -> str:
    """Return a file of the kit."""
    found = [one for one in kit(backend, file) if one in _chosen(backend)[file]]
    head = _head(backend, file, frozenset[str]().union(*(one.used for one in found)))
    return renamed("\n\n".join([*head, *together(found)])) + "\n"


def c_library() -> dict[str, str]:
    """Return the C functions behind the patterns, and the part of the header that declares them."""
    folder = BINDINGS.parent / "c_src"
    header, patterns, code = (
        (folder / name).read_text("utf-8")
        for name in ("cookbook.h", "cookbook/patterns.h", "patterns.c")
    )
    start, functions = header.index("#ifndef COOKBOOK_H"), header.index("/* Return the instruction")
    declared = patterns[patterns.index("CK_API") : patterns.index("/* Several kinds")]
    closing = header.rindex("#ifdef __cplusplus")
    return {
        "native/cookbook.h": header[start:functions] + declared + header[closing:],
        "native/cookbook.c": code[: code.index("/* ---- mixed")].rstrip() + "\n",
    }


def _head(backend: str, file: str, used: frozenset[str]) -> list[str]:
    """Return the files that a file of the kit includes or imports."""
    paths = [(BINDINGS / name).resolve() for name in KITS[backend].files[file]]
    if file.endswith(".py"):
        lines, _ = imports.python(backend, paths, used)
        ours = f"from {PACKAGE}.{Path(file).stem} import"
        return [line for line in lines if not line.startswith(ours)]
    if file.endswith(".rs"):
        return imports.rust(paths[0], used)[0]
    if file.endswith(".pxd"):
        return imports.cython(paths, used)
    whole = "\n".join(path.read_text("utf-8") for path in paths)
    own = {path.name for path in paths}
    includes = re.findall(r"^#include .*|^#define (?:PY_SSIZE|NPY_NO)\w+.*", whole, re.MULTILINE)
    kept = {line for line in includes if Path(line.split()[1].strip('"<>')).name not in own}
    if not any(name.startswith(("ck_", "CK_")) for name in used):
        kept.discard('#include "cookbook.h"')
    groups = [
        sorted(line for line in kept if line.startswith("#define")),
        sorted((line for line in kept if "<" in line), key=lambda one: (".h" not in one, one)),
        sorted(line for line in kept if '"' in line),
    ]
    return ["#pragma once", *("\n".join(group) for group in groups if group)]
