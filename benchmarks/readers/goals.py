"""What reading records is meant to reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import findings
import spread
from goals import Cases, Goal, table

from readers.jobs import IN_C, MEMORY
from readers.libraries import PACKAGE


def reached(parts: Mapping[str, findings.Part]) -> str:
    """Return the table."""
    return table(GOALS, parts)


def _beside(other: str) -> Callable[[Any, str], Cases]:
    def cases(found: Any, backend: str) -> Cases:
        ratio = spread.against(found["speeds"], backend, other)
        return [ratio] if ratio else []

    return cases


def _speed(found: Any, backend: str) -> Cases:
    return [found["speeds"][backend]]


def _two(found: Any, backend: str) -> Cases:
    ratio = spread.against(found["speeds"], f"{backend}, two", f"{backend}, one")
    return [ratio] if ratio else []


GOALS = (
    Goal("Examples, of the loop in C", "examples", 0.97, " ×", _beside(IN_C)),
    Goal("Examples, beside `tfrecord`", "package", 150, " ×", _beside(PACKAGE)),
    Goal("million tokens/s", "tokens", 2000, "", _speed, factor=1e-6),
    Goal("scan, of the memory read", "scan", 0.8, " ×", _beside(MEMORY)),
    Goal("gathered, million records/s", "gathers", 8, "", _speed, factor=1e-6),
    Goal("two threads, of one", "threads", 1.9, " ×", _two),
)
