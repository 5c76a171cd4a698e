"""Pages with parts that are written by a program, between two marks."""

from __future__ import annotations

import re
from collections.abc import Mapping


def spliced(page: str, parts: Mapping[str, str]) -> str:
    """A page with its marked parts written anew."""
    for name, text in parts.items():
        pattern = rf"(<!-- {name}: begin [^\n]*-->\n).*?(<!-- {name}: end -->)"
        page, n = re.subn(
            pattern, lambda m, text=text: f"{m[1]}{text}\n{m[2]}", page, flags=re.DOTALL
        )
        assert n == 1, f"no part is marked {name}"
    return page
