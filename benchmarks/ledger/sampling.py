"""The samples: new processes time everything, and then once more what is uncertain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from benchmarks.core.process import answers
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.calls import APART, BRIDGE, CONTROL
from benchmarks.ledger.results import FLOOR, Results
from benchmarks.ledger.worker import INTERPRETER, WRONG
from benchmarks.trust.refusals import slowed

LEAST = 3  # processes
UNSURE = 0.1  # the share of uncertain contenders from which on a pattern or kernel is timed again


class Effort(NamedTuple):
    """The effort of a run."""

    processes: int
    """At most: after LEAST of them only what is not sure yet is timed again."""
    kernel_processes: int
    rounds: int
    kernel_rounds: int
    pattern_slice: float
    kernel_slice: float
    variants: bool
    """Whether the variants of the calls are timed too."""


EFFORTS = {
    "quick": Effort(3, 2, 4, 4, 3e-4, 2e-3, variants=False),
    "usual": Effort(6, 4, 7, 4, 5e-4, 2e-3, variants=True),
    "full": Effort(8, 8, 6, 5, 3e-3, 5e-3, variants=True),
}


@dataclass
class Crew:
    """The bindings and libraries that share a process, and what they are timed at."""

    backends: list[str]
    rows: list[str]
    kernels: list[str]
    absent: list[str]
    """The libraries that are not in the process."""
    mark: str = ""
    """It follows the name of each contender, because other processes time some of them too."""
    contenders: set[str] = field(default_factory=set)
    """Those seen so far."""
    groups: dict[str, set[str]] = field(default_factory=dict)
    """The contenders that every process must time, by group, without marks."""

    def sample(self, results: Results, job: dict[str, Any]) -> None:
        """Time everything in a new process."""
        chosen = {name: getattr(self, name) for name in ("backends", "rows", "kernels", "absent")}
        timed: dict[str, set[str]] = {}
        for group, samples in answers("sample", **chosen, **job):
            if group == INTERPRETER:
                results.refused += slowed(self.backends, samples)
                continue
            if group == WRONG:
                results.refused += samples
                continue
            timed[group] = set(samples)
            named = {
                one if sample["binding"] == APART else one + self.mark: {
                    **sample,
                    "apart": bool(self.mark),
                }
                for one, sample in samples.items()
            }
            self.contenders.update(named)
            results.add(group, named)
        results.refused += self._incomplete(timed)

    def _incomplete(self, timed: Mapping[str, set[str]]) -> Iterator[str]:
        """Yield the groups for which some process did not time all of its rows."""
        self.groups = {**timed, **self.groups}
        for group, expected in self.groups.items():
            kernel, _, row = group.partition(" ")
            asked = row in self.rows if kernel == "pattern" else kernel in self.kernels
            if asked and (lone := expected ^ timed.get(group, set())):
                names = ", ".join(sorted(lone))
                yield f"{group}: only some of the processes and checks have timed or seen {names}"

    def uncertain(self, results: Results) -> Crew:
        """Return the crew with those rows and kernels only that are to be timed again."""
        return replace(
            self,
            rows=[row for row in self.rows if self._unsure(results, f"pattern {row}")],
            kernels=[
                one for one in self.kernels if one == "patterns" or self._unsure(results, one)
            ],
        )

    def _unsure(self, results: Results, group: str) -> bool:
        """Return True if too many of the contenders of a pattern, or of a kernel, are uncertain."""
        cells = [
            cells[contender]
            for name, cells in results.cells.items()
            if name == group or name.startswith(f"{group} ")
            for contender in self.contenders & cells.keys()
        ]
        return sum(not cell.sure for cell in cells) > UNSURE * len(cells)

    @property
    def busy(self) -> bool:
        """Return True if there is anything to time."""
        return bool(self.rows if self.kernels == ["patterns"] else self.kernels)


def take(
    results: Results,
    effort: str,
    rows: list[str],
    kernels: list[str],
    folder: str,
    begin: Callable[[str], object],
) -> None:
    """Time some kernels, or the patterns; `begin` is called before each process."""
    job = {"folder": folder, **EFFORTS[effort]._asdict()}
    most = job["processes" if kernels == ["patterns"] else "kernel_processes"]
    crews = list(_crews(results, rows, kernels))
    for crew in crews:
        crew.groups = _expected(results, crew, EFFORTS[effort].variants)
    for number in range(most):
        if number >= LEAST:
            crews = [crew.uncertain(results) for crew in crews]
        if not any(crew.busy for crew in crews):
            return
        begin(f", process {number + 1} of at most {most}")
        for crew in crews:
            if crew.busy:
                crew.sample(results, job)
        if results.refused:
            return


def _expected(results: Results, crew: Crew, variants: bool) -> dict[str, set[str]]:
    """Return the contenders of each pattern that were checked, and that a crew must time."""
    groups: dict[str, set[str]] = {}
    if "patterns" in crew.kernels:
        for backend in crew.backends:
            for row, names in results.backends[backend].get("contenders", {}).items():
                control = {CONTROL} if backend == FLOOR else set()
                group = groups.setdefault(f"pattern {row}", set())
                group |= {name for name in names if variants or name == backend} | control
    return groups


def _crews(results: Results, rows: list[str], kernels: list[str]) -> Iterator[Crew]:
    backends = results.open_backends
    if together := [backend for backend in backends if backend != APART]:
        yield Crew(together, rows, kernels, list(results.absent))
    if APART in backends:
        libraries = [name for of_kernel in BASELINES.values() for name in of_kernel]
        beside = [backend for backend in backends if backend in (FLOOR, APART)]
        if together:
            yield Crew(beside, rows, kernels, libraries, BRIDGE)
        else:  # the libraries, which limit the kernels, are in no other crew
            yield Crew(beside, rows, kernels, list(results.absent))
