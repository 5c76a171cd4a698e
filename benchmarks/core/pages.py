"""Pages with parts that a program writes between two marks, and the writing of pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ffi_cookbook.files import write_file


def spliced(page: str, parts: Mapping[str, str]) -> str:
    """Return a page with its marked parts replaced."""
    for name, text in parts.items():
        pattern = rf"(<!-- {name}: begin [^\n]*-->\n).*?(<!-- {name}: end -->)"
        page, n = re.subn(
            pattern, lambda m, text=text: f"{m[1]}{text}\n{m[2]}", page, flags=re.DOTALL
        )
        assert n == 1, f"no part is marked {name}"
    return page


def table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with names in the first column and figures in the others."""
    columns = list(heads)
    lines = [columns, ["---", *["--:"] * (len(columns) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in lines)


def replace(path: Path, text: str) -> None:
    """Write a text into a new file of this name.

    The old file stays unchanged under its other names: a package manager links an installed file to
    its cache, and an environment whose files have been altered is refused.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text.encode())
