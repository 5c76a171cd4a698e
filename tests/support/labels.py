"""Names of parametrized tests that are the same in every process, as workers side by side need."""

from __future__ import annotations

import re


def label(value: object) -> str:
    """Return the start of repr(value), without the addresses in it."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))[:60]
