"""docs/matmul.md with the figures of docs/matmul.json in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import median
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
PAGE, DATA = DOCS / "matmul.md", DOCS / "matmul.json"
WIDTH = 50  # characters that stand for the peak of one core


def pages() -> dict[Path, str]:
    """The page as it should be, by path."""
    figures = json.loads(DATA.read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    for name, text in {"ladder": ladder(figures), "doors": doors(figures)}.items():
        page, n = re.subn(
            rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)",
            lambda match, text=text: f"{match[1]}{text}\n{match[2]}",
            page,
            flags=re.DOTALL,
        )
        assert n == 1, f"{PAGE} has no part marked {name}"
    return {PAGE: page}


def ladder(figures: dict[str, Any]) -> str:
    """A bar for each step."""
    steps, machine, noise = figures["steps"], figures["machine"], figures["noise"]
    wide = max(map(len, steps))
    lines = [
        f"{name:{wide}} {median(shares):6.3f} {'█' * round(WIDTH * median(shares))}"
        for name, shares in steps.items()
    ]
    where = f"{machine['processor']}, {machine['cores']} cores, {figures['isa']}"
    others = "" if noise["others"] is None else f"; others used {noise['others']:.0%} of it"
    return "\n".join([f"{where}{others}.", "", "```", *lines, "```"])


def doors(figures: dict[str, Any]) -> str:
    """A row for each type and size: medians, and from lowest to highest round."""
    names = list(next(iter(figures["doors"].values())))
    rows = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for case, by_name in figures["doors"].items():
        cells = [
            f"{median(shares):.2f} ({min(shares):.2f}–{max(shares):.2f})"
            for shares in (by_name[name] for name in names)
        ]
        rows.append(f"| {case} | " + " | ".join(cells) + " |")
    return "\n".join(rows)
