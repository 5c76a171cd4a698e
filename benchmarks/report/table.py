"""Figures in rows and columns, not yet as a terminal's, Markdown's or a page's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Figure(NamedTuple):
    """A value, its spread, whether it is among the best of its like, and whether it cannot be told
    from the C API's."""

    value: str
    spread: float | None = None
    best: bool = False
    alike: bool = False


NONE = Figure("–")


@dataclass
class Table:
    """Rows of figures under headings; a rule stands before row `rule`."""

    title: str
    headings: list[str]
    rows: list[tuple[str, list[Figure]]]
    rule: int
    notes: list[str] = field(default_factory=list)


def short(value: float) -> str:
    """At most four characters, or five."""
    if abs(value) >= 999_500:
        return f"{value / 1e6:.3g}M"
    if abs(value) >= 9_999.5:
        return f"{value / 1e3:.0f}k"
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.2g}"
