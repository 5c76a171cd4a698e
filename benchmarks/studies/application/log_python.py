"""The reference."""

from __future__ import annotations

from array import array

DIGITS = set("0123456789.")


def parse(lines: list[str], weights: dict[str, float]) -> dict[str, array[float]]:
    """Return the weighted durations of each service; raise ValueError for a line that is wrong."""
    groups: dict[str, array[float]] = {}
    for number, line in enumerate(lines, 1):
        fields = line.split(" ", 4)
        if len(fields) < 4:
            raise ValueError(f"line {number}: 4 fields expected")
        _, level, service, text = fields[:4]
        try:
            duration = float(text) if set(text) <= DIGITS else None
        except ValueError:
            duration = None
        if duration is None:
            raise ValueError(f"line {number}: not a duration")
        if level not in weights:
            raise ValueError(f"line {number}: unknown level {level}")
        groups.setdefault(service, array("d")).append(weights[level] * duration)
    return groups
