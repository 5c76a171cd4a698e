"""Figures in rows and columns, independent of terminal, Markdown and page."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from benchmarks.ledger.results import UNKNOWN

ABSENT = "–"
UNSURE = 0.1
LEGEND = (
    "? half the 95 % interval is over 10 % of the figure and over the noise floor, or there is one "
    "sample only; – not measured, or half the interval is over 50 % of the figure, or the interval "
    "contains zero; ~ what the C API costs, the whole interval within the noise floor; ^ "
    "nanoseconds per instruction out of line with the other calls of the binding; < within the "
    "noise floor of an empty C function."
)


@dataclass(frozen=True)
class Figure:
    """A value, its spread, its rank among its like, and the reasons to doubt it.

    A value whose spread is over 50 % is not a measurement: it becomes a dash.
    """

    value: str
    spread: float | None = None
    best: bool = False
    alike: bool = False
    """It is within the noise floor of the C API."""
    odd: bool = False
    """Its nanoseconds per instruction are out of line."""
    once: bool = False
    """Its spread is unknown: it was measured once, or its interval has no upper end."""
    fine: bool = False
    """Half its interval is within the noise floor, however small the figure."""

    def __post_init__(self) -> None:
        """Replace what is not a measurement by a dash."""
        if (self.spread or 0) > UNKNOWN:
            for one in fields(self):
                object.__setattr__(self, one.name, ABSENT if one.name == "value" else one.default)

    @property
    def marks(self) -> str:
        """The signs of LEGEND that apply."""
        unsure = self.once or (not self.fine and (self.spread or 0) > UNSURE)
        return "?" * unsure + "~" * self.alike + "^" * self.odd

    @property
    def bold(self) -> bool:
        """Return True if the figure is one of the best; a single sample never is."""
        return self.best and not self.once

    @property
    def interval(self) -> str:
        """Return half the interval in per cent, or nothing if there is none."""
        return "" if self.spread is None else f" ±{self.spread:.0%}"


NONE = Figure(ABSENT)


@dataclass
class Table:
    """Rows of figures under headings; a rule stands before row `rule`."""

    title: str
    headings: list[str]
    rows: list[tuple[str, list[Figure]]]
    rule: int
    notes: list[str] = field(default_factory=list)


def number(n: int, noun: str) -> str:
    """Return a number of things, with the noun in the singular or the plural."""
    return f"{n} {noun}{'s' * (n != 1)}"


def short(value: float) -> str:
    """Format a number in at most four characters, or five."""
    if abs(value) >= 999_500:
        return f"{value / 1e6:.3g}M"
    if abs(value) >= 9_999.5:
        return f"{value / 1e3:.0f}k"
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.2g}"
