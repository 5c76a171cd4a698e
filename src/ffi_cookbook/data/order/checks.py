"""Checks of arguments."""

from __future__ import annotations

import operator
import os
from typing import Any


def check_least(name: str, value: int, least: int) -> int:
    """Return an integer argument; raise TypeError for another type, ValueError if too small."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def path_of(source: Any) -> str:
    """Return a source of records as a path or URL, or raise TypeError."""
    if isinstance(source, str | os.PathLike):
        return os.fsdecode(source)
    raise TypeError(f"paths must be paths, URLs or patterns, not {type(source).__name__}")
