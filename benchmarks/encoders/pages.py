"""What docs/tokenizer-speed.md says, made of the figures in docs/encoders.json alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import findings
from marked import spliced

from encoders import cold, goals, lines, memory, stalls, threads, warm, words, worst

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, DATA = DOCS / "tokenizer-speed.md", DOCS / "encoders.json"
TABLES: dict[str, Callable[[Any, list[str]], str]] = {
    "warm": warm.tables,
    "cold": cold.tables,
    "worst": worst.tables,
    "words": words.tables,
    "lines": lines.tables,
    "threads": threads.tables,
    "memory": memory.tables,
    "stalls": stalls.tables,
}


def written() -> dict[Path, str]:
    """Return the page with its marked parts written anew."""
    parts = findings.read(DATA)
    texts = {name: shown(parts, name) for name in TABLES}
    texts |= {"goals": goals.reached(parts), "about": "  \n".join(findings.about(parts))}
    return {PAGE: spliced(PAGE.read_text("utf-8"), texts)}


def shown(parts: Mapping[str, findings.Part], name: str) -> str:
    """Return a part's tables, or a line that it was not measured."""
    if name not in parts or parts[name]["found"] is None:
        return findings.UNKNOWN
    return TABLES[name](parts[name]["found"], parts[name]["backends"])
