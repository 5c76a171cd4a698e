"""What is left for Python where a technology hands over memory and no objects."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt

WRONG = ("", "4 fields expected", "not a duration")
Ints = npt.NDArray[np.int64]


def outputs(n: int) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Return memory for the spans of level and service of each line, and for its duration."""
    return np.empty((n, 4), np.int64), np.empty(n)


def grouped(
    text: bytes, spans: Ints, durations: npt.NDArray[np.float64], weights: dict[str, float]
) -> dict[str, array[float]]:
    """Return the weighted durations of each service."""
    groups: dict[str, array[float]] = {}
    known = {level.encode(): weight for level, weight in weights.items()}
    services: dict[bytes, array[float]] = {}
    for number, ((a, n, b, m), duration) in enumerate(
        zip(spans.tolist(), durations.tolist(), strict=True), 1
    ):
        level, service = text[a : a + n], text[b : b + m]
        if level not in known:
            raise ValueError(f"line {number}: unknown level {level.decode()}")
        values = services.get(service)
        if values is None:
            services[service] = groups[service.decode()] = values = array("d")
        values.append(known[level] * duration)
    return groups
