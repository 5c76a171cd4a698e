"""What the docs say of the ladder, made of the figures in docs/ladder.json and of nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from limits import pages as limits
from marked import replace

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, DATA, CHART = DOCS / "ladder.md", DOCS / "ladder.json", DOCS / "ladder.svg"


class Share(NamedTuple):
    """GFLOP/s, and their share of the peak of as many cores, measured just before.

    They are the median over rounds, and the quartiles.
    """

    rate: float
    share: float
    low: float
    high: float


def shares(figures: dict[str, Any]) -> dict[str, dict[str, Share]]:
    """By contender and size."""
    found: dict[str, dict[str, Share]] = {}
    for name, threads in figures["threads"].items():
        for size, samples in figures["samples"].items():
            rates = [rate for rate, _ in samples[name]]
            of_peak = [rate / (threads * peak) for rate, peak in samples[name]]
            low, middle, high = quantiles(of_peak, method="inclusive")
            found.setdefault(name, {})[size] = Share(median(rates), middle, low, high)
    return found


def summary(figures: dict[str, Any]) -> str:
    """Return the table, with notes on how to read it."""
    sizes = list(figures["samples"])
    lines = [
        "| | " + " | ".join(f"N = {size} GFLOP/s | of the peak" for size in sizes) + " |",
        "|---|" + "--:|--:|" * len(sizes),
    ]
    for name, by_size in shares(figures).items():
        cells = (f"{_short(one.rate)} | {_percent(one)}" for one in by_size.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, "", *_notes(figures)])


def _notes(figures: dict[str, Any]) -> list[str]:
    about = figures["machine"]
    samples = [one for by_name in figures["samples"].values() for one in by_name.values()]
    peak = median(peak for rounds in samples for _, peak in rounds)
    notes = [
        f"float32, {len(samples[0])} rounds, everything in turn in one process: the median, and of "
        "the share the quartiles. The peak is what a core does by independent multiply-adds, "
        f"measured before each figure ({_short(peak)} GFLOP/s), times the threads of the row; the "
        f"steps, where they have threads, use {figures['threads'].get('7 threads', 1)}.",
        f"{about['processor']}, {about['cores']} cores, {about['compiler']}, Python "
        f"{about['python_version']}, NumPy {about['numpy']}.",
        f"8 cuda: {figures['cuda']}.",
    ]
    return limits.footnotes(figures, notes)


def step(figures: dict[str, Any], name: str) -> str:
    """One step in a sentence, against the one before it."""
    found = shares(figures)
    names = [one for one in found if one[0].isdigit() and ", -" not in one]
    before = found[names[names.index(name) - 1]] if name in names[1:] else None
    texts = []
    for size, one in found[name].items():
        text = f"N = {size}: **{_short(one.rate)} GFLOP/s**, {one.share:.1%} of the peak"
        if before:
            text += f", {one.rate / before[size].rate:.1f} × the step before"
        texts.append(text)
    return ". ".join(texts) + "."


def chart(figures: dict[str, Any]) -> str:
    """Bars, in the colours of a page that is light or dark."""
    found, sizes = shares(figures), list(figures["samples"])
    bar, left, wide = 11, 190, 400
    rows, y = [], 24.0
    for name, by_size in found.items():
        rows.append(f'<text x="{left - 8}" y="{y + bar + 4:g}" text-anchor="end">{name}</text>')
        for shade, one in enumerate(by_size.values()):
            low, high = (left + wide * min(end, 1.1) for end in (one.low, one.high))
            rows.append(
                f'<rect class="s{shade}" x="{left}" y="{y:g}" width="{wide * one.share:.1f}" '
                f'height="{bar - 1}"/><path d="M{low:.1f} {y + bar / 2:g}H{high:.1f}"/>'
                f'<text x="{max(high, left) + 6:.1f}" y="{y + bar - 2:g}">{_percent(one)}</text>'
            )
            y += bar
        y += 6
    for percent in (0, 25, 50, 75, 100):
        x = left + wide * percent // 100
        rows.append(f'<path class="grid" d="M{x} 20V{y:g}"/><text x="{x}" y="{y + 12:g}" '
                    f'text-anchor="middle">{percent} %</text>')  # fmt: skip
    legend = "".join(
        f'<rect class="s{shade}" x="{left + 90 * shade}" y="4" width="10" height="10"/>'
        f'<text x="{left + 14 + 90 * shade}" y="13">N = {size}</text>'
        for shade, size in enumerate(sizes)
    )
    style = (
        "text{font:10px sans-serif;fill:#222}.s0{fill:#2a78c2}.s1{fill:#e08a2c}"
        "path{stroke:#222}.grid{stroke:#8884}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}path{stroke:#ddd}}"
    )
    body = "\n".join(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {y + 18:g}" role="img" '
        'aria-label="Share of the FMA peak by step of the ladder">\n'
        f"<style>{style}</style>\n{legend}\n{body}\n</svg>\n"
    )


def written() -> dict[Path, str]:
    """Return the page with its marked parts written anew, and the chart."""
    figures = json.loads(DATA.read_text("utf-8"))

    def part(found: re.Match[str]) -> str:
        name = found[2]
        text = summary(figures) if name == "table" else step(figures, name)
        return f"{found[1]}\n{text}\n{found[3]}"

    marked = r"(<!-- ladder ([^:]+): begin -->)\n.*?(<!-- ladder \2: end -->)"
    page = re.sub(marked, part, PAGE.read_text("utf-8"), flags=re.DOTALL)
    return {PAGE: limits.spliced(page), CHART: chart(figures)}


def publish(
    figures: dict[str, Any], summary: Callable[[dict[str, Any]], str], data: Path | None
) -> None:
    """Print the summary of figures, of which four digits suffice.

    With a path they are stored there, and the docs are made anew.
    """
    text = json.dumps(figures)
    short = json.loads(text, parse_float=lambda digits: float(f"{float(digits):.4g}"))
    print(summary(short))
    if data is not None:
        replace(data, json.dumps(short) + "\n")
        for path, page in written().items():
            replace(path, page)


def _percent(one: Share) -> str:
    digits = 1 if one.share < 0.1 else 0
    return f"{one.share:.{digits}%} ({100 * one.low:.{digits}f}–{100 * one.high:.{digits}f})"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
