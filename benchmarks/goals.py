"""What is wanted of measured figures, and whether it was reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

import findings
import spread

Cases = list[list[float]]
"""Samples of everything that one goal asks for."""


def _as_set(found: Any) -> float:
    return 1


class Goal(NamedTuple):
    """A bound that the worst case of a binding has to keep."""

    what: str
    part: str
    bound: float
    unit: str
    cases: Callable[[Any, str], Cases]
    """Of what was found of the part, of a binding."""
    least: bool = True
    """Whether the figure is to be at least the bound, or at most."""
    factor: float = 1
    """How many of the unit a figure of 1 is."""
    here: Callable[[Any], float] = _as_set
    """By what the bound is multiplied on the machine of a part, as what was found there tells."""


def table(goals: Sequence[Goal], parts: Mapping[str, findings.Part]) -> str:
    """Return the table, with a row for each goal whose part was measured."""
    present = {name: part for name, part in parts.items() if part["found"]}
    backends = spread.names(dict.fromkeys(part["backends"]) for part in present.values())
    scaled = any(goal.here is not _as_set for goal in goals)
    rows = [
        _row(goal, present[goal.part], backends, scaled) for goal in goals if goal.part in present
    ]
    heads = ["", "wanted", *(["here"] if scaled else []), *backends]
    return spread.table(heads, rows) if rows else findings.UNKNOWN


def _row(goal: Goal, part: findings.Part, backends: list[str], scaled: bool) -> list[str]:
    here = goal.bound * goal.here(part["found"])
    sign = "≥" if goal.least else "≤"
    bounds = [goal.bound, here] if scaled else [goal.bound]
    wanted = [f"{sign} {spread.digits(bound)}{goal.unit}" for bound in bounds]
    return [goal.what, *wanted, *(_met(goal, part["found"], backend, here) for backend in backends)]


def _met(goal: Goal, found: Any, backend: str, bound: float) -> str:
    try:
        cases = goal.cases(found, backend)
    except KeyError:  # a binding or a text that this run did without
        cases = []
    if not cases:
        return spread.ABSENT
    figures = [median(case) * goal.factor for case in cases]
    figure = min(figures) if goal.least else max(figures)
    met = figure >= bound if goal.least else figure <= bound
    return f"{spread.digits(figure)}{' ✓' if met else ''}"
