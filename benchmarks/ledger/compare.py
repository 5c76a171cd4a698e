"""`python -m benchmarks compare THEN [NOW]`: what changed between two saved runs.

THEN and NOW are names that `run --save` has given, or files; NOW is the last run if it is left out.
Exit code 2 if the runs cannot be compared, else 0.

A machine that is busy slows all calls of a moment alike. So what is compared is the ratio of a
contender to the C API in the same process, and of the C API to the empty function. The process is
the replicate. The difference of two runs is that of their medians over processes, which a disturbed
process does not move. It is judged by a t-test, whose variance comes from the median deviations of
the cell, drawn to that of all cells (as in G. K. Smyth, "Linear Models and Empirical Bayes
Methods", 2004). Of the cells that are named, at most 5 % are expected to be false (Y. Benjamini,
Y. Hochberg, 1995).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import expm1, log1p, pi
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from benchmarks import ROOT
from benchmarks.core.bootstrap import quiet
from benchmarks.core.machine import NOISY
from benchmarks.ledger import storage
from benchmarks.ledger.results import FLOOR, Results

SAME = ("processor", "cores", "machine", "python_implementation", "gil")
"""The facts of the machine that two runs must share."""
NAMED = ("python_version", "python_build", "numpy")
FALSE = 0.05  # the share of the named cells that may be false
LEAST = 0.04
"""The smallest change that is named: code that is built anew lies at other addresses."""
PRIOR = 4  # degrees of freedom of the variance that all cells share
Logs = npt.NDArray[np.float64]


class Change(NamedTuple):
    """One cell that has changed."""

    group: str
    contender: str
    binding: str
    ratio: float
    """The new figure, divided by the old one, both relative to the C API."""

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
    if differing := [*_differing(then["machine"], machine, SAME)]:
        raise ValueError("not comparable: " + "; ".join(differing))


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the versions that differ, and the load of both runs: what may explain a change."""
    yield from _differing(then["machine"], now["machine"], NAMED)
    for name, backend in now["backends"].items():
        pair = [one.get("about", {}) for one in (then["backends"].get(name, {}), backend)]
        if all(pair):
            yield from (f"{name}: {one}" for one in _differing(*pair, ("technology", "compiler")))
    for what, run in (("then", then), ("now", now)):
        if (others := run["noise"]["others"]) and others > NOISY:
            yield f"noisy {what}: others took {others:.0%} of the machine"


def _differing(
    then: Mapping[str, Any], now: Mapping[str, Any], names: Iterable[str]
) -> Iterator[str]:
    for name in names:
        if then.get(name) != now.get(name):
            yield f"{name}: {then.get(name)} then, {now.get(name)} now"


def compare(then: Results, now: Results) -> Comparison:
    """Compare all cells that both runs have, except kernels with other inputs."""
    same_work = then.inputs == now.inputs and then.effort == now.effort
    before, after = (_relative(run, same_work) for run in (then, now))
    keys = [key for key in after if key in before]
    if not keys:
        return Comparison([], {})
    pairs = [(before[key], after[key]) for key in keys]
    moved = np.array([np.median(new) - np.median(old) for old, new in pairs])
    degrees = np.array([len(old) + len(new) - 2 for old, new in pairs])
    deviation = partial(stats.median_abs_deviation, scale="normal")  # as a standard deviation
    spread = np.array([np.mean([*map(deviation, pair)]) for pair in pairs]) ** 2
    shared = np.median(spread)
    variance = (degrees * spread + PRIOR * shared) / (degrees + PRIOR) * pi / 2
    error = np.sqrt(variance * [1 / len(old) + 1 / len(new) for old, new in pairs])
    t = abs(moved) / np.maximum(error, 1e-12)
    sure = stats.false_discovery_control(2 * stats.t.sf(t, degrees + PRIOR)) <= FALSE
    bindings = [now.cells[group][name].binding for group, name in keys]
    changes = [
        Change(*key, binding, 1 + expm1(change))
        for key, binding, change, certain in zip(keys, bindings, moved, sure, strict=True)
        if certain and abs(change) > log1p(LEAST)
    ]
    of = {
        name: [float(m) for b, m in zip(bindings, moved, strict=True) if b == name]
        for name in dict.fromkeys(bindings)
    }
    medians = {name: (expm1(float(np.median(found))), len(found)) for name, found in of.items()}
    return Comparison(sorted(changes, key=lambda one: -one.ratio), medians)


def _relative(run: Results, kernels: bool) -> dict[tuple[str, str], Logs]:
    """Return the logarithms of each contender's ratio to the C API, by process."""
    found = {}
    for group, cells in run.cells.items():
        pattern = group.startswith("pattern ")
        for name, cell in cells.items():
            floor = run.floor_of(group, name)
            if not (pattern or kernels) or cell.variant == "again" or floor is None:
                continue
            beside = floor.seconds
            if cell.binding == FLOOR and not cell.variant:
                if cell.beside is None:
                    continue
                beside = cell.beside
            n = min(len(cell.seconds), len(beside))
            ratios = np.array(quiet(cell.seconds[:n])) / np.array(quiet(beside[:n]))
            found[group, name] = np.log(ratios)
    return found


def lines(then: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Return what is printed about two saved runs."""
    said = [f"! {one}" for one in differences(then, now)]
    found = compare(storage.read(then), storage.read(now))
    ordered = sorted(found.by_binding.items(), key=lambda one: -one[1][0])
    said += [f"{name} {median:+.1%} over {n} cells" for name, (median, n) in ordered]
    said += [f"  {change}" for change in found.changes]
    return [*said, f"{len(found.changes)} cells changed, relative to the C API"]


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
