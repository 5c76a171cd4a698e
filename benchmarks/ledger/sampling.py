"""The samples: new processes time everything, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from benchmarks.core.process import answers
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.calls import APART, BRIDGE, CONTROL
from benchmarks.ledger.results import FLOOR, Results
from benchmarks.ledger.worker import INTERPRETER, WRONG
from benchmarks.trust.refusals import slowed


class Effort(NamedTuple):
    """The effort of a run."""

    processes: int
    kernel_processes: int
    apart: int
    """The processes of torch, whose import takes as long as all calls of the other bindings."""
    rounds: int
    kernel_rounds: int
    pattern_slice: float
    kernel_slice: float
    variants: bool
    """Whether the variants of the calls are timed and counted too."""


EFFORTS = {
    "usual": Effort(6, 2, 1, 12, 8, 3e-4, 2e-3, variants=False),
    "full": Effort(8, 8, 8, 6, 5, 3e-3, 5e-3, variants=True),
}


class Crew(NamedTuple):
    """The bindings that share a process."""

    backends: list[str]
    absent: list[str]
    """The libraries that are not in the process."""
    mark: str = ""
    """It follows the name of each contender, because other processes time some of them too."""


def take(
    results: Results, job: Mapping[str, Any], effort: Effort, begin: Callable[[str], object]
) -> None:
    """Time the rows and kernels of a job; `begin` is called before each process."""
    calls = job["kernels"] == ["patterns"]
    crews = list(_crews(results))
    expected = {crew.mark: _expected(results, crew, effort) if calls else {} for crew in crews}
    most = effort.processes if calls else effort.kernel_processes
    for number in range(most):
        begin(f", process {number + 1} of {most}")
        for crew in crews:
            if APART not in crew.backends or number < effort.apart:
                timed = _sample(results, crew, {**job, **effort._asdict()})
                expected[crew.mark] = {**timed, **expected[crew.mark]}
                results.refused += _incomplete(timed, expected[crew.mark])
        if results.refused:
            return


def _sample(results: Results, crew: Crew, job: Mapping[str, Any]) -> dict[str, set[str]]:
    """Time everything in a new process, and return the contenders of each group."""
    timed: dict[str, set[str]] = {}
    for group, samples in answers("sample", backends=crew.backends, absent=crew.absent, **job):
        if group == INTERPRETER:
            results.refused += slowed(crew.backends, samples)
        elif group == WRONG:
            results.refused += samples
        else:
            timed[group] = set(samples)
            for one, sample in samples.items():
                name = one if sample["binding"].startswith(APART) else one + crew.mark
                results.add(group, {name: {**sample, "apart": bool(crew.mark)}})
    return timed


def _incomplete(timed: Mapping[str, set[str]], groups: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the groups of which a process has left something out."""
    for group, expected in groups.items():
        if lone := expected ^ timed.get(group, set()):
            names = ", ".join(sorted(lone))
            yield f"{group}: only some of the processes and checks have timed or seen {names}"


def _expected(results: Results, crew: Crew, effort: Effort) -> dict[str, set[str]]:
    """Return the contenders of each pattern that were checked, and that a crew must time."""
    groups: dict[str, set[str]] = {}
    for backend in crew.backends:
        for row, names in results.backends[backend].get("contenders", {}).items():
            group = groups.setdefault(f"pattern {row}", set())
            group |= {name for name in names if effort.variants or name == backend}
            group |= {CONTROL} if backend == FLOOR else set()
    return groups


def _crews(results: Results) -> Iterator[Crew]:
    backends = results.open_backends
    libraries = {name for of_kernel in BASELINES.values() for name in of_kernel}
    if together := [backend for backend in backends if backend != APART]:
        yield Crew(together, [*results.absent, *BASELINES["attention"]])
    if APART in backends:
        others = libraries.difference(BASELINES["attention"]) if together else ()
        beside = [backend for backend in backends if backend in (FLOOR, APART)]
        yield Crew(beside, [*results.absent, *others], BRIDGE if together else "")
