"""What a run found out; a process is the replicate, and gives one sample of everything."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median
from typing import Any

from pytest_benchmark.stats import Stats


@dataclass
class Cell:
    """The samples of one contestant in one group."""

    seconds: list[float] = field(default_factory=list)
    extra: dict[str, list[float]] = field(default_factory=dict)

    def add(self, sample: dict[str, float]) -> None:
        """One process's sample: its seconds, and whatever else."""
        for name, value in sample.items():
            (self.seconds if name == "seconds" else self.extra.setdefault(name, [])).append(value)

    @property
    def median(self) -> float:
        """Over the processes."""
        return median(self.seconds)

    @property
    def spread(self) -> float:
        """Half the distance between the quartiles, as a fraction of the median."""
        return float(self.stats().iqr) / 2 / abs(self.median or 1)

    @property
    def rate(self) -> float:
        """Work a second."""
        return self.extra["work"][0] / self.median

    def stats(self) -> Any:
        """As pytest-benchmark has them."""
        stats = Stats()
        for sample in self.seconds:
            stats.update(sample)
        return stats


@dataclass
class Results:
    """Everything that is printed and saved."""

    doors: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Name: about and files, or reason and remedy where it is shut."""
    absent: dict[str, str] = field(default_factory=dict)
    """Baselines that are not here, and why."""
    wrong: list[str] = field(default_factory=list)
    inputs: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    noise: dict[str, float | None] = field(default_factory=dict)
    cells: dict[str, dict[str, Cell]] = field(default_factory=dict)
    """By group, by name."""

    def add(self, group: str, samples: dict[str, dict[str, float]]) -> None:
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
