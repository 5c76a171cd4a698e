"""The results of a run; a process is the replicate, and contributes some rounds of everything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from statistics import geometric_mean, median, quantiles
from typing import Any

from benchmarks import REFERENCES
from benchmarks.core.bootstrap import Estimate, Rounds, estimate, quiet
from benchmarks.ledger.calls import BRIDGE, CONTROL
from benchmarks.ledger.rows import ALL

FLOOR = "capi"
UNKNOWN = 0.5
"""Half an interval, as a fraction of the figure, from which on it is no figure."""
USUAL = (0.6, 2.0)  # nanoseconds per instruction of a call, against its binding's median
ALIKE = (0.5, 3.0)  # a binding's median, against that of all; a tool in Python is slower by 1.3


@dataclass
class Cell:
    """The samples of one contender in one group."""

    seconds: Rounds = field(default_factory=list)
    """By process and round."""
    beside: Rounds | None = None
    """Those of what is subtracted: of a call, the same call of an empty C function."""
    work: float = 1.0
    """Operations or bytes of a unit."""
    binding: str = ""
    """The binding or the library."""
    variant: str = ""
    """Of a pattern: "", "idiomatic", "fast", or "again" for the control."""
    apart: bool = False
    """Whether it was timed in the processes of torch."""

    def add(self, sample: dict[str, Any]) -> None:
        """Add one process's samples."""
        self.seconds.append(_rounded(sample["seconds"]))
        if "beside" in sample:
            self.beside = [*(self.beside or []), _rounded(sample["beside"])]
        for name in ("work", "binding", "variant", "apart"):
            setattr(self, name, sample.get(name, getattr(self, name)))
        for made in ("estimate", "gross"):
            self.__dict__.pop(made, None)

    @cached_property
    def estimate(self) -> Estimate:
        """Return the seconds above the baseline measured beside them, and their interval."""
        return estimate(self.seconds, self.beside)

    @cached_property
    def gross(self) -> Estimate:
        """Return the seconds of the whole statement."""
        return estimate(self.seconds)

    @property
    def value(self) -> float:
        """Return the seconds of the estimate."""
        return self.estimate.value

    @property
    def spread(self) -> float | None:
        """Return half the interval as a fraction of the figure, or None for a single process.

        It is infinite if the interval contains zero.
        """
        if len(self.seconds) == 1:
            return None
        value, low, high = self.estimate
        return inf if low <= 0 <= high else (high - low) / 2 / abs(value)

    @property
    def known(self) -> bool:
        """Return True if the figure is a measurement: its interval is narrow, and not about 0."""
        return self.value > 0 and (self.spread is None or self.spread <= UNKNOWN)

    @property
    def rate(self) -> float:
        """Return the work done per second."""
        return self.work / self.value


@dataclass
class Results:
    """Everything that is printed and saved."""

    effort: str = "usual"
    backends: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Name: about and provenance, or reason and remedy where it is unavailable."""
    absent: dict[str, str] = field(default_factory=dict)
    """Baselines and instruments that are not here, and why."""
    wrong: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """What forbids to publish, though nothing was wrong."""
    inputs: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    noise: dict[str, float | None] = field(default_factory=dict)
    cells: dict[str, dict[str, Cell]] = field(default_factory=dict)
    """By group, by name."""
    instructions: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """By row, by contender."""
    model: dict[str, Any] = field(default_factory=dict)
    """The cost model."""

    def add(self, group: str, samples: dict[str, dict[str, Any]]) -> None:
        """Add one process's samples of a group, by name."""
        for name, sample in samples.items():
            self.cells.setdefault(group, {}).setdefault(name, Cell()).add(sample)

    def count(self, counts: dict[str, dict[str, dict[str, Any]]]) -> None:
        """Take the counts of instructions, which say which calls are odd."""
        self.instructions = counts
        self.__dict__.pop("odd", None)

    def cell(self, group: str, name: str) -> Cell | None:
        """Return the samples of a contender, or None if it was not measured."""
        return self.cells.get(group, {}).get(name)

    @property
    def open_backends(self) -> list[str]:
        """Return the contenders that could be timed."""
        return [name for name, backend in self.backends.items() if "about" in backend]

    @cached_property
    def floor(self) -> tuple[float, float]:
        """Return the noise floor, in seconds and as a fraction of the gross time.

        95 % of the rows stay below it when the C API is compared with itself. Of fewer than 20 rows
        it is the largest difference, since a quantile would be an extrapolation.
        """
        absolute: list[float] = []
        relative: list[float] = []
        for cells in self.cells.values():
            if CONTROL in cells:
                apart = estimate(cells[CONTROL].seconds, cells[FLOOR].seconds).value
                absolute.append(abs(apart))
                relative.append(abs(apart) / cells[FLOOR].gross.value)
        if not absolute:
            return 0.0, 0.0
        if len(absolute) < 20:
            return max(absolute), max(relative)
        return quantiles(absolute, n=20)[-1], quantiles(relative, n=20)[-1]

    def floor_of(self, group: str, one: str) -> Cell | None:
        """Return the cell of the C API that was timed in the same processes as a contender."""
        apart = self.cells[group][one].apart
        return self.cell(group, FLOOR + BRIDGE if apart else FLOOR)

    def variant(self, row: str, backend: str, variant: str) -> str:
        """Return the contender that is this variant, or the binding's page if it has none."""
        name = f"{backend} {variant}"
        return name if self.cell(f"pattern {row}", name) else backend

    def times_floor(
        self, backend: str, rows: Iterable[str] = ALL, variant: str = ""
    ) -> float | None:
        """Return the geometric mean of a binding's whole calls, relative to the C API's."""
        ratios = [
            cell.gross.value / floor.gross.value
            for row in rows
            for name in [self.variant(row, backend, variant)]
            if (cell := self.cell(f"pattern {row}", name))
            and (floor := self.floor_of(f"pattern {row}", name))
        ]
        return geometric_mean(ratios) if ratios else None

    @cached_property
    def slow(self) -> tuple[float, float]:
        """Return the share of slow moments of the machine, and their factor.

        It is slow at moments when it takes over 1.3 times its best time. The calls of an empty
        function show that: they are timed beside the calls of every pattern in every round.
        """
        ratios: list[float] = []
        for group, contenders in self.cells.items():
            cell = next(iter(contenders.values()))
            if group.startswith("pattern ") and cell.beside:
                best = min(quiet(cell.beside))
                ratios += [one / best for rounds in cell.beside for one in rounds]
        late = [ratio for ratio in ratios if ratio > 1.3]
        return len(late) / max(len(ratios), 1), median(late) if late else 1.0

    @cached_property
    def odd(self) -> dict[tuple[str, str], float]:
        """Return the calls whose nanoseconds per instruction are unusual for their binding.

        The values are multiples of the binding's median, or of all bindings' if its own is far from
        it, by row and contender. The two instruments share nothing: one of them is wrong there, or
        the call waits for something. Python's own functions may make system calls, whose
        instructions are not counted, and are left out.
        """
        ratios: dict[str, dict[tuple[str, str], float]] = {}
        for row, counts in self.instructions.items():
            for contender, count in counts.items():
                cell = self.cell(f"pattern {row}", contender)
                if cell and cell.binding not in REFERENCES:
                    of_backend = ratios.setdefault(cell.binding, {})
                    of_backend[row, contender] = cell.gross.value / count["gross"]
        middles = {name: median(of.values()) for name, of in ratios.items()}
        all_of_them = median(middles.values()) if middles else 1.0
        return {
            key: ratio / middle
            for name, of in ratios.items()
            for near in [ALIKE[0] <= middles[name] / all_of_them <= ALIKE[1]]
            for middle in [middles[name] if near else all_of_them]
            for key, ratio in of.items()
            if not USUAL[0] <= ratio / middle <= USUAL[1]
        }


def _rounded(samples: list[float]) -> list[float]:
    """Round samples to four digits, their precision, so that a saved run gives the same figures."""
    return [float(f"{one:.4g}") for one in samples]
