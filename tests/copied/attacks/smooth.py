"""The attacks on the templates with a class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .answers import averages, checksums
from .classes import class_attacks
from .functions import changing, each, right_average, right_checksum
from .outcomes import Attack, raises


def attacks() -> Iterator[tuple[str, Attack]]:
    """Yield the attacks on a template."""
    import smooth as package

    kind = package.Average

    def in_parts(x: Any, alpha: float) -> Any:
        made = kind(alpha)
        parts = [made.update(part) for part in np.array_split(x, 3)]
        assert all(type(part) is np.ndarray and part.dtype == np.float64 for part in parts)
        return np.concatenate(parts)

    def answers() -> Iterator[str]:
        for function in (in_parts, package.ema):
            yield from averages(function, "ValueError", np.asarray, np.asarray)
        yield from checksums(package.crc32, bytes)
        made = kind(0.5)
        made.update(np.array([1.0]))
        yield from raises("ValueError: x must be finite", made.update, np.array([2.0, np.nan]))
        if made.update(np.array([3.0])) != [2.0]:
            yield "a refused call has changed the state"
        if kind.__module__.split(".")[0] != "smooth":
            yield f"the class is {kind.__module__}.Average"

    yield "answers", answers
    yield from each("update", lambda x: kind(0.5).update(x), right_average)
    yield from each("ema", lambda x: package.ema(x, 0.5), right_average)
    yield from each("crc32", package.crc32, right_checksum)
    yield from changing(package.ema)
    yield from class_attacks(kind)
