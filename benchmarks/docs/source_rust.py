"""The source of a pattern in Rust."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from benchmarks.docs import imports
from benchmarks.docs.definitions import needed
from benchmarks.docs.kits import Source, parts


def rust(_backend: str, path: Path, names: Collection[str]) -> Source:
    """Return Rust functions and types."""
    own = [one for one in parts(path) if not re.match(r"(?://!|use |mod )", one.text)]
    found = needed((one for one in own if one.names & set(names)), own)
    if not found:
        return Source(path, "")
    used = frozenset[str]().union(*(one.used for one in found))
    head, needs = imports.rust(path, used)
    text = "\n".join(one.text for one in found)
    for file, theirs in needs.items():
        module = Path(file).stem
        if module in theirs:
            qualified = set(re.findall(rf"\b{module}::(\w+)", text))
            needs[file] = sorted({*theirs, *qualified} - {module})
    return Source(path, "\n\n".join([*head, *(one.text for one in found)]), needs=needs)
