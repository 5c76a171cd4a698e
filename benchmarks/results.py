"""What a run found out; a process is the replicate, and gives some rounds of everything."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from statistics import quantiles
from typing import Any

from bootstrap import Estimate, Rounds, estimate, quiet
from calls import CONTROL
from pytest_benchmark.stats import Stats


@dataclass
class Cell:
    """The samples of one contestant in one group."""

    seconds: Rounds = field(default_factory=list)
    """By process and round."""
    beside: Rounds | None = None
    """Of a probe, those of its operands alone, measured beside it."""
    work: float = 1.0
    """Operations or bytes of a unit."""

    def add(self, sample: dict[str, Any]) -> None:
        """One process's samples."""
        self.seconds.append(sample["seconds"])
        if "beside" in sample:
            self.beside = [*(self.beside or []), sample["beside"]]
        self.work = sample.get("work", 1.0)

    @cached_property
    def estimate(self) -> Estimate:
        """The median of the seconds, above the operands' own, and its interval."""
        return estimate(self.seconds, self.beside)

    @cached_property
    def gross(self) -> Estimate:
        """The same with the operands."""
        return estimate(self.seconds)

    @property
    def median(self) -> float:
        """Over the processes."""
        return self.estimate.value

    @property
    def spread(self) -> float:
        """Half the interval, as a fraction of the median."""
        return (self.estimate.high - self.estimate.low) / 2 / abs(self.median or 1)

    @property
    def rate(self) -> float:
        """Work a second."""
        return self.work / self.median

    def stats(self) -> Any:
        """Over the processes, as pytest-benchmark has them."""
        stats = Stats()
        for worth in quiet(self.seconds, self.beside):
            stats.update(worth)
        return stats


@dataclass
class Results:
    """Everything that is printed and saved."""

    effort: str = "usual"
    doors: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Name: about and provenance, or reason and remedy where it is shut."""
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
    """By row, by arm."""
    beyond: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By door, what is not the time of a call: lines, sizes, imports, allocations, builds."""
    model: dict[str, Any] = field(default_factory=dict)
    """The cost model, and where each kernel breaks even."""

    def add(self, group: str, samples: dict[str, dict[str, Any]]) -> None:
        """One process's samples of a group, by name."""
        for name, sample in samples.items():
            self.cells.setdefault(group, {}).setdefault(name, Cell()).add(sample)

    def cell(self, group: str, name: str) -> Cell | None:
        """The samples of a contestant, or None where it does not take part."""
        return self.cells.get(group, {}).get(name)

    @property
    def open_doors(self) -> list[str]:
        """Those that could be timed."""
        return [name for name, door in self.doors.items() if "about" in door]

    @cached_property
    def floor(self) -> tuple[float, float]:
        """The noise floor, in seconds and as a fraction of the gross time: what 95 % of the rows
        stay below when the C API is compared with itself."""
        absolute, relative = [0.0], [0.0]
        for cells in self.cells.values():
            if CONTROL in cells:
                apart = estimate(cells[CONTROL].seconds, cells["capi"].seconds).value
                absolute.append(abs(apart))
                relative.append(abs(apart) / cells["capi"].gross.value)
        if len(absolute) == 1:
            return 0.0, 0.0
        return quantiles(absolute, n=20)[-1], quantiles(relative, n=20)[-1]

    def alike(self, group: str, one: str, other: str) -> bool:
        """Whether two arms of a probe cannot be told apart: their paired difference is within the
        noise floor, or its interval holds zero."""
        cells = self.cells[group]
        apart = estimate(cells[one].seconds, cells[other].seconds)
        seconds, fraction = self.floor
        near = max(seconds, fraction * cells[other].gross.value)
        return abs(apart.value) <= near or apart.low <= 0 <= apart.high
