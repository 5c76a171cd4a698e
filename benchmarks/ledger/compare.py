"""The comparison of two runs: the certain changes, and the verdict of a gate."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import ffi_cookbook
from benchmarks.core.bootstrap import change, estimate
from benchmarks.ledger.rows import ALL, VARIANTS

INSTRUMENTS = ("ns", "instr")
SAME = (
    "processor",
    "cores",
    "machine",
    "python_implementation",
    "python_version",
    "python_build",
    "gil",
    "numpy",
)
"""What two runs that are compared have in common, of their machines."""


class Change(NamedTuple):
    """One cell that has changed."""

    instrument: str
    group: str
    contender: str
    before: float
    after: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the new figure to the old one."""
        return self.after / self.before if self.before else float("inf")

    def __str__(self) -> str:
        unit = "ns" if self.instrument == "ns" else "instructions"
        scale = 1e9 if self.instrument == "ns" else 1
        return (
            f"{self.group} [{self.contender}]: {self.before * scale:,.4g} → "
            f"{self.after * scale:,.4g} {unit} ({self.ratio - 1:+.1%})"
        )


class Gate(NamedTuple):
    """An instrument, and the change for the worse that a cell may have: `instr:1%`."""

    instrument: str
    tolerance: float

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Return the gate that an option of the command line describes."""
        instrument, _, share = text.partition(":")
        try:
            tolerance = float(share.removesuffix("%")) / 100
        except ValueError:
            tolerance = inf
        if instrument not in INSTRUMENTS or share[-1:] != "%" or not 0 <= tolerance < inf:
            raise argparse.ArgumentTypeError(f"{text}: write instr:1% or ns:10%")
        return cls(instrument, tolerance)

    def stopped(self, changes: list[Change]) -> list[Change]:
        """Return the changes that the gate stops."""
        return [
            one
            for one in changes
            if one.instrument == self.instrument and one.ratio > 1 + self.tolerance
        ]


def needs_counts(options: argparse.Namespace) -> bool:
    """Return True if a gate is one of instructions."""
    return any(gate.instrument == "instr" for gate in options.gate)


def works(options: argparse.Namespace) -> bool:
    """Return True if kernels are timed whose work depends on the inputs, shorter with `--quick`."""
    return not {"records", "tokenizer", "even"}.isdisjoint(options.kernel)


class NotComparable(RuntimeError):
    """Two runs that cannot be compared, or a gate without its instrument."""


def refuse(
    then: dict[str, Any] | None,
    facts: Mapping[str, Any],
    backends: Mapping[str, Any] | None = None,
    uncounted: str | None = None,
    work: Mapping[str, Any] | None = None,
) -> None:
    """Refuse to compare with a run of another machine, interpreter or version of a tool.

    `work` are the facts that the size of the kernels' work depends on.

    A gate whose instrument is missing is refused too: `uncounted` is the reason why there is no
    count, empty if there is one, None if no gate needs it.

    Raises: NotComparable: with everything that differs.
    """
    if then is None:
        return
    differing = [
        f"{name}: {then['machine'][name]} then, {facts[name]} now"
        for name in SAME
        if name in then["machine"] and then["machine"][name] != facts[name]
    ]
    for name, backend in (backends or {}).items():
        pair = [one.get("about") for one in (then["backends"].get(name, {}), backend)]
        differing += [
            f"{name}: {before} then, {after} now"
            for key in ("technology", "compiler")
            if all(pair)
            for before, after in [[about[key] for about in pair if about]]
            if before != after
        ]
    for name, after in (work or {}).items():
        before = then.get(name)
        if before != after and (name != "effort" or "quick" in (before, after)):
            differing.append(f"{name}: {before} then, {after} now")
    if uncounted is not None:
        if uncounted:
            differing.append(f"instructions cannot be counted here: {uncounted}")
        if not then["instructions"]:
            differing.append("the saved run has no counts of instructions")
    if differing:
        raise NotComparable("not comparable: " + "; ".join(differing))


def refuse_uncounted(then: dict[str, Any] | None, options: argparse.Namespace) -> None:
    """Refuse a gate of instructions if the saved run timed a binding and did not count it.

    Raises: NotComparable: with the names of the bindings.
    """
    if then is None or not needs_counts(options):
        return
    rows = (row for row in then["benchmarks"] if row["group"].startswith("pattern "))
    timed = {row["param"] for row in rows}
    counted = {name for counts in then["instructions"].values() for name in counts}
    if names := ", ".join(name for name in options.only if name in timed - counted):
        raise NotComparable(
            f"the saved run has no counts of {names}: save it again by a name, with --save NAME, "
            f"or leave {names} out with --only"
        )


def load(name: str, folder: Path) -> dict[str, Any]:
    """Load the last run saved under a name, or the one in a file."""
    named = re.compile(rf"\d+_{re.escape(name)}\.json")
    paths = (path for path in folder.glob(".benchmarks/*/*.json") if named.fullmatch(path.name))
    saved = sorted(paths, key=lambda path: path.name)
    path = saved[-1] if saved else Path(name)
    if not path.is_file():
        raise FileNotFoundError(f"no run was saved as {name} in {folder / '.benchmarks'}")
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def changes(now: dict[str, Any], then: dict[str, Any]) -> list[Change]:
    """Return the changes between two saved runs.

    Any change of an instruction count matters, except in functions that scan strings; a change of a
    time matters if it exceeds every draw of the bootstrap and the noise floor of both runs.
    """
    return [*_counted(now["instructions"], then["instructions"]), *_timed(now, then)]


def only_once(now: dict[str, Any], then: dict[str, Any]) -> list[str]:
    """Return the cells that only one of the runs has."""
    one, other = (
        {f"{row['group']} [{row['param']}]" for row in document["benchmarks"]}
        for document in (now, then)
    )
    return sorted(one ^ other)


def in_common(now: dict[str, Any], then: dict[str, Any], instrument: str) -> int:
    """Return the number of cells that an instrument measured in both runs."""
    one, other = (
        {(row["group"], row["param"]) for row in document["benchmarks"]}
        if instrument == "ns"
        else {(row, name) for row, counts in document["instructions"].items() for name in counts}
        for document in (now, then)
    )
    return len(one & other)


def gone(now: dict[str, Any], then: dict[str, Any], options: argparse.Namespace) -> list[str]:
    """Return the cells of the earlier run that were asked for now, and are not there."""
    there = {(row["group"], row["param"]) for row in now["benchmarks"]}
    everything = options.row == list(ALL)  # then the rows that were removed since are gone too
    found = []
    for row in then["benchmarks"]:
        kind, _, name = row["group"].partition(" ")
        kernel = "patterns" if kind == "pattern" else kind
        binding, _, variant = row["param"].partition(" ")
        if (
            (row["group"], row["param"]) not in there
            and kernel in options.kernel
            and (kernel != "patterns" or everything or name in options.row)
            and (binding in options.only or binding not in ffi_cookbook.names())
            and (variant not in VARIANTS or options.effort != "quick")  # as they are timed
        ):
            found.append(f"{row['group']} [{row['param']}]")
    if needs_counts(options):
        for row, contenders in then["instructions"].items():
            for contender in contenders:
                binding, _, variant = contender.partition(" ")
                if (
                    contender not in now["instructions"].get(row, {})
                    and (everything or row in options.row)
                    and binding in options.only
                    and (not variant or options.effort == "full")  # as they are counted
                ):
                    found.append(f"the count of {row} [{contender}]")
    return found


def _counted(now: dict[str, Any], then: dict[str, Any]) -> Iterator[Change]:
    for group, contenders in now.items():
        for contender, count in contenders.items():
            if old := then.get(group, {}).get(contender):
                before, after = (each["gross"] - each.get("scan", 0) for each in (old, count))
                if abs(after - before) >= 0.5:
                    yield Change("instr", group, contender, before, after)


def _timed(now: dict[str, Any], then: dict[str, Any]) -> Iterator[Change]:
    old = {(row["group"], row["param"]): _gross(row) for row in then["benchmarks"]}
    _, fraction = map(max, now["floor"], then["floor"])
    for row in now["benchmarks"]:
        before = old.get((row["group"], row["param"]))
        if before is None:
            continue
        after = _gross(row)
        moved = change(after, before)
        if (moved.low > 0 or moved.high < 0) and abs(moved.value) > fraction:
            yield Change(
                "ns", row["group"], row["param"], estimate(before).value, estimate(after).value
            )


def _gross(row: dict[str, Any]) -> list[list[float]]:
    samples: list[list[float]] = row["extra_info"]["rounds"]
    return samples
