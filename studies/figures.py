"""Figures in the form that a page shows: a median and its quartiles.

Figures are compared only if they were measured in the same round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles

ABSENT = "–"
Samples = Mapping[str, Sequence[float]]
"""By contender, round by round."""


def against(samples: Samples, one: str, other: str) -> list[float] | None:
    """Return the ratio of two contenders, round by round; None if either was not measured."""
    if not {one, other} <= samples.keys():
        return None
    return [ours / theirs for ours, theirs in zip(samples[one], samples[other], strict=True)]


def interval(samples: Sequence[float] | None, unit: str = "", scale: float = 1) -> str:
    """Format as `1.21 × (1.20–1.24)`, or a dash if nothing was measured."""
    if not samples:
        return ABSENT
    scaled = [scale * one for one in samples]
    middle = median(scaled)
    if len(scaled) == 1:
        return f"{digits(middle)}{unit}"
    low, _, high = quantiles(scaled, method="inclusive")
    return f"{digits(middle)}{unit} ({digits(low)}–{digits(high)})"


def digits(value: float) -> str:
    """Format a number with about three digits, or with all digits of its whole part."""
    decimals = 3 if value < 0.1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{decimals}f}"


def names(cells: Iterable[Mapping[str, object]]) -> list[str]:
    """Return all contenders that were measured somewhere, in the order of their appearance."""
    return list(dict.fromkeys(name for cell in cells for name in cell))
