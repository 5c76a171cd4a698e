"""`python -m benchmarks compare THEN [NOW]`: what changed between two saved runs.

THEN and NOW are names that `run --save` has given, or files; NOW is the last run if it is left out.
Exit code 2 if the runs cannot be compared, else 0.

A machine that is busy slows long calls by another factor than short ones, and all calls of a moment
alike. So what is compared is the median of a process, and the change of a cell is counted from that
of the calls that take about as long, and then from that of its row: the contenders of one pattern
or kernel, and the empty function. It is judged by a t-test over processes, whose variance comes
from the median deviations of the cell, drawn to that of all cells (as in G. K. Smyth, "Linear
Models and Empirical Bayes Methods", 2004). Of the cells that are named, at most 5 % are expected to
be false (Y. Benjamini, Y. Hochberg, 1995). What a whole row has changed by is named apart.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, expm1, log1p, pi
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import ndimage, stats

from benchmarks import ROOT
from benchmarks.core.machine import NOISY
from benchmarks.ledger import storage
from benchmarks.ledger.calls import NOTHING
from benchmarks.ledger.results import Results

SAME = ("processor", "cores", "machine", "python_implementation", "gil")
"""The facts of the machine that two runs must share."""
NAMED = ("python_version", "python_build", "numpy")
FALSE = 0.05  # the share of the named cells that may be false
LEAST = 0.05
"""The smallest change that is named: code that is built anew lies at other addresses."""
ALIKE = 80  # cells that are taken to be slowed alike
WHOLE = 0.1  # the smallest change of all cells of a row that is named
PRIOR = 8  # degrees of freedom of the variance that all cells share
Logs = npt.NDArray[np.float64]
Key = tuple[str, bool, str]  # a group, whether it was timed beside torch, and a contender


class Change(NamedTuple):
    """One cell that has changed."""

    group: str
    contender: str
    binding: str
    ratio: float
    """The new figure, divided by the old one, both relative to the row and to calls as long."""

    def __str__(self) -> str:
        return f"{self.group} [{self.contender}]: {self.ratio - 1:+.1%}"


class Comparison(NamedTuple):
    """Two runs, compared."""

    changes: list[Change]
    """The certain ones, the largest slowdown first."""
    by_binding: dict[str, tuple[float, int]]
    """The median change of each binding, and the number of its cells."""


def refuse(then: Mapping[str, Any], machine: Mapping[str, Any]) -> None:
    """Raise ValueError for a run of another machine or kind of interpreter."""
    if differing := [*unlike(then["machine"], machine, SAME)]:
        raise ValueError("not comparable: " + "; ".join(differing))


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the versions that differ, and the load of both runs: what may explain a change."""
    yield from unlike(then["machine"], now["machine"], NAMED)
    for name, backend in now["backends"].items():
        pair = [one.get("about", {}) for one in (then["backends"].get(name, {}), backend)]
        if all(pair):
            facts = "technology", "compiler", "isa"
            yield from (f"{name}: {one}" for one in unlike(pair[0], pair[1], facts))
    yield from unlike(then, now, ("effort",))
    for what, run, other in (("then", then, now), ("now", now, then)):
        if (others := run["noise"]["others"]) and others > NOISY:
            yield f"noisy {what}: others took {others:.0%} of the machine"
        known = ((group, name) for group in run["cells"] for name in run["cells"][group])
        if lone := [one for one in known if one[1] not in other["cells"].get(one[0], ())]:
            yield f"only {what}: {len(lone)} cells, such as {lone[0][0]} [{lone[0][1]}]"


def unlike(then: Mapping[str, Any], now: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """Yield the facts that differ, of some names."""
    for name in names:
        if then.get(name) != now.get(name):
            yield f"{name}: {then.get(name)} then, {now.get(name)} now"


def compare(then: Results, now: Results) -> Comparison:
    """Compare all cells that both runs have, except kernels with other inputs."""
    same_work = then.inputs == now.inputs and then.effort == now.effort
    before, after = (_medians(run, same_work) for run in (then, now))
    keys = [key for key in after if key in before]
    if not keys:
        return Comparison([], {})
    pairs = [(before[key], after[key]) for key in keys]
    length = np.array([np.median(old) for old, _ in pairs])
    moved = np.array([np.median(new) for _, new in pairs]) - length
    order = np.argsort(length)
    moved[order] -= ndimage.median_filter(moved[order], ALIKE)
    rows: dict[tuple[str, bool], list[int]] = {}
    for at, key in enumerate(keys):
        rows.setdefault(key[:2], []).append(at)
    changes, spread = [], np.zeros(len(keys))
    for (group, _), row in rows.items():
        together = np.median(moved[row])
        moved[row] -= together
        if abs(together) > log1p(WHOLE):
            changes.append(Change(group, "all", "", exp(together)))
        for run in zip(*(pairs[at] for at in row), strict=True):
            levels = np.array(run) - np.median(run, axis=0)
            spread[row] += stats.median_abs_deviation(levels, axis=1, scale="normal") / 2
    counts = np.array([(len(old), len(new)) for old, new in pairs])
    degrees = counts.sum(axis=1) - 2
    variance = (degrees * spread**2 + PRIOR * np.median(spread) ** 2) / (degrees + PRIOR) * pi / 2
    error = np.sqrt(variance * (1 / counts).sum(axis=1))
    t = abs(moved) / np.maximum(error, 1e-12)
    sure = stats.false_discovery_control(2 * stats.t.sf(t, degrees + PRIOR)) <= FALSE
    of: dict[str, list[float]] = {}
    for (group, _, name), change, certain in zip(keys, moved.tolist(), sure, strict=True):
        cell = now.cell(group, name)
        if cell and cell.variant != "again":
            of.setdefault(cell.binding, []).append(change)
            if certain and abs(change) > log1p(LEAST):
                changes.append(Change(group, name, cell.binding, exp(change)))
    medians = {name: (expm1(float(np.median(found))), len(found)) for name, found in of.items()}
    return Comparison(sorted(changes, key=lambda one: -one.ratio), medians)


def _medians(run: Results, kernels: bool) -> dict[Key, Logs]:
    """Return the logarithms of the medians of each process, with those of the empty function.

    What only one process has timed is left out: its memory layout is a matter of luck.
    """
    found = {}
    for group, cells in run.cells.items():
        for name, cell in cells.items():
            if (kernels or group.startswith("pattern ")) and len(cell.seconds) > 1:
                found[group, cell.apart, name] = np.log(np.median(cell.seconds, axis=1))
                if cell.beside:
                    found[group, cell.apart, NOTHING] = np.log(np.median(cell.beside, axis=1))
    return found


def lines(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what is printed about two saved runs."""
    said = [f"! {one}" for one in differences(then, now)]
    found = compare(storage.read(then), storage.read(now))
    ordered = sorted(found.by_binding.items(), key=lambda one: -one[1][0])
    said += [f"{name} {median:+.1%} over {n} cells" for name, (median, n) in ordered]
    said += [f"  {change}" for change in found.changes]
    return [*said, f"{len(found.changes)} cells changed, relative to the others"]


def main(arguments: Sequence[str]) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("then", metavar="THEN")
    parser.add_argument("now", metavar="NOW", nargs="?", default=str(ROOT / "bench/latest.json"))
    parser.add_argument("--folder", type=Path, default=ROOT, help="where the runs were saved")
    options = parser.parse_args(arguments)
    try:
        then, now = (storage.load(name, options.folder) for name in (options.then, options.now))
        refuse(then, now["machine"])
    except (OSError, ValueError) as error:
        print(error)
        return 2
    print(*lines(then, now), sep="\n")
    return 0
