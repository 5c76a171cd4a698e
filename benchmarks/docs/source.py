"""The source of a pattern, cut out of the repository so that a reader can copy it.

That is the function, all definitions of the same file that it uses, the imports of both, the code
that registers the function in a module, and the names of the files of the kit (kits.py) that it
needs.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from benchmarks.docs import source_c, source_python, source_rust
from benchmarks.docs.kits import BINDINGS, Source, parts, renamed

LANGUAGES = {
    ".py": "python",
    ".pyx": "cython",
    ".c": "c",
    ".cpp": "cpp",
    ".rs": "rust",
}
"""By ending, as Pygments and Markdown name them; in the order in which a reader wants them."""
GOES_ON = {
    "objects": ("counter", "countdown"),
    "arrays": ("dlpack",),
    "fast": ("by_hand",),
}
"""Pages that some bindings continue in further files."""


def pages(backend: str, page: str) -> list[Path]:
    """Return the files of a page of the ledger, the one that Python sees first."""
    folder = BINDINGS / backend
    stems = (page, *GOES_ON.get(page, ()))
    names = [f"{stem}{end}" for end in LANGUAGES for stem in stems]
    paths = [folder / "patterns" / name for name in names]
    if page == "idiomatic":  # a module of its own in some bindings
        paths += [folder / name for name in names]
    return [path for path in paths if path.exists()]


def snippets(backend: str, page: str, names: Collection[str]) -> list[tuple[Path, str]]:
    """Return the path and the text of every piece of a pattern's code, in the order of `pages`."""
    return [
        (one.path, "\n\n".join(part for part in (one.text, one.registration) if part))
        for one in sources(backend, page, names)
    ]


def sources(backend: str, page: str, names: Collection[str]) -> list[Source]:
    """Return a pattern's code, for its function and the classes of its signature.

    Code that is not for copying (the python binding and `fast`) is cut without the definitions it
    uses.
    """
    if backend == "python" or page == "fast":
        return _alone(backend, page, names)
    found: list[Source] = []
    for path in pages(backend, page):
        wanted = _operators(found) if backend == "torch" and path.suffix == ".cpp" else names
        one = _CUTTERS[path.suffix](backend, path, wanted)
        if one.text or one.registration:
            found.append(one._replace(**{part: renamed(getattr(one, part)) for part in _PARTS}))
    return found


_PARTS = ("text", "registration", "state")


def _alone(backend: str, page: str, names: Collection[str]) -> list[Source]:
    found = []
    for path in pages(backend, page):
        one = _CUTTERS[path.suffix](backend, path, names)
        texts = [part.text for part in parts(path) if part.names & set(names)]
        if texts or one.registration:
            found.append(Source(path, "\n\n".join(texts), one.registration))
    return found


def _operators(found: list[Source]) -> set[str]:
    """Return the operators of torch that Python code names."""
    text = "\n".join(one.text for one in found)
    names = re.findall(r"\bops\.(?:ffi_cookbook\.|patterns\.)?(\w+)|::(\w+)\"", text)
    return {name for pair in names for name in pair if name}


_CUTTERS = {
    ".py": source_python.python,
    ".pyx": source_python.cython,
    ".c": source_c.c,
    ".cpp": source_c.cpp,
    ".rs": source_rust.rust,
}
