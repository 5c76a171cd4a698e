"""The data with which the page chooses a binding for one call, and a card for each binding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from benchmarks.ledger.model.costs import published
from benchmarks.ledger.results import Results
from benchmarks.report import beyond
from benchmarks.report.guide import CODE, NEEDS, TECHNOLOGIES, Technology
from benchmarks.report.ledger import cost
from benchmarks.report.page.saved import native
from benchmarks.report.table import NONE, Figure
from ffi_cookbook import costs
from ffi_cookbook.costs.signatures import ELEMENTS, KINDS

CALLS = {"noop": "no argument", "add_int": "two ints", "array_in": "an array", "error": "an error"}
"""Patterns on a binding's card."""


class Card(NamedTuple):
    """One binding in brief."""

    name: str
    technology: str
    about: Technology
    times: str
    """Whole calls against the C API."""
    facts: list[tuple[str, Figure, str]]
    """What it costs, the figure, and its unit."""


def cards(results: Results) -> list[Card]:
    """Return a card for each native binding, the cheapest calls first."""
    found = sorted(
        native(results), key=lambda name: results.times_floor(name, variant="idiomatic") or 0
    )
    return [_card(results, name) for name in found if name in TECHNOLOGIES]


def guide(document: dict[str, Any], results: Results) -> dict[str, Any]:
    """Return prices, languages, needs and costs beside the call, by which the page chooses.

    The prices are those of this run if it timed all rows that they are fitted to, else the
    committed ones.
    """
    own = bool(document["model"].get("costs"))
    prices = published(document) if own else costs.measured()
    return {
        **prices,
        "own": own,
        "aliases": {
            alias: kind for kind, names in KINDS.items() for alias in (kind, *names.split())
        },
        "elements": ELEMENTS,
        "code": CODE,
        "needs": NEEDS,
        "technologies": {name: it._asdict() for name, it in TECHNOLOGIES.items()},
        "beyond": {
            name: [(term, figure.value, unit) for term, figure, unit in _beyond(results, name)]
            for name in prices["backends"]
        },
    }


def _card(results: Results, name: str) -> Card:
    mean, ours = results.times_floor(name, variant="idiomatic"), results.times_floor(name)
    calls = {
        what: cost(results, row, name, results.variant(row, name, "idiomatic"))
        for row, what in CALLS.items()
    }
    facts = [
        (what, replace(figure, value=figure.value.rstrip("*")), "ns")
        for what, figure in calls.items()
    ]
    return Card(
        name,
        results.backends[name]["about"]["technology"],
        TECHNOLOGIES[name],
        f"{mean:.1f} × (ours {ours:.1f})" if mean and ours else "",
        [fact for fact in [*facts, *_beyond(results, name)] if fact[1] is not NONE],
    )


def _beyond(results: Results, name: str) -> list[tuple[str, Figure, str]]:
    found = results.beyond.get(name)
    return [(term, figure(found), unit) for term, figure, unit in beyond.BRIEF] if found else []
