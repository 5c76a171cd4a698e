"""The source of a pattern in Python and Cython."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from benchmarks.docs import imports
from benchmarks.docs.definitions import Definition, needed
from benchmarks.docs.kits import KITS, Source, kit, parts

# ---- Python --------------------------------------------------------------------------------


def python(backend: str, path: Path, names: Collection[str]) -> Source:
    """Return Python functions and classes."""
    paths = _imported_pages(path)
    defined = frozenset[str]().union(*(one.names for one in parts(path)))
    others = [one for part in paths[:-1] for one in parts(part) if not one.names & defined]
    own = [one for one in [*others, *parts(path)] if one.names]
    found = needed((one for one in own if one.names & set(names)), own)
    if not found:
        return Source(path, "")
    used = frozenset[str]().union(*(one.used for one in found))
    head, needs = imports.python(backend, paths, used)
    if any(one.names & one.used for one in found):
        head.insert(0, "from __future__ import annotations")  # a class that names itself
    return Source(path, "\n\n".join([*head, *together(found)]), needs=needs)


def _imported_pages(path: Path) -> list[Path]:
    """Return a page, after the pages of its binding that it imports from."""
    names = re.findall(
        rf"^from ffi_cookbook\.bindings\.{path.parts[-3]}\.patterns\.(\w+) import",
        path.read_text("utf-8"),
        re.MULTILINE,
    )
    kept = {origin for files in KITS[path.parts[-3]].files.values() for origin in files}
    names = [name for name in names if f"{path.parts[-3]}/patterns/{name}.py" not in kept]
    others = [one for name in names for one in _imported_pages(path.with_stem(name))]
    return list(dict.fromkeys([*others, path]))


def together(found: Iterable[Definition]) -> Iterator[str]:
    """Yield texts, with consecutive constants joined into one."""
    lines: list[str] = []
    for one in found:
        if "\n" in one.text or one.text.startswith("class "):
            if lines:
                yield "\n".join(lines)
            lines = []
            yield one.text
        else:
            lines.append(one.text)
    if lines:
        yield "\n".join(lines)


# ---- Cython --------------------------------------------------------------------------------


def cython(backend: str, path: Path, names: Collection[str]) -> Source:
    """Return Cython functions and classes."""
    own = parts(path)
    found = needed((one for one in own if one.names & set(names)), own)
    if not found:
        return Source(path, "")
    used = frozenset[str]().union(*(one.used for one in found))
    needs = {}
    for file in KITS[backend].files:
        theirs = frozenset[str]().union(*(one.names for one in kit(backend, file)))
        if theirs & used:
            needs[file] = sorted(theirs & used)
    head = imports.cython([path], used)
    return Source(path, "\n\n".join([*head, *(one.text for one in found)]), needs=needs)
