"""The ladder as bars, in the colours of a page that is light or dark."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.studies.matmul.ladder import Share, percent


def bars(found: Mapping[str, Mapping[str, Share]]) -> str:
    """Return the shares of the peak as SVG, by contender and size."""
    sizes = list(next(iter(found.values())))
    bar, left, wide = 11, 190, 400
    rows, y = [], 24.0
    for name, by_size in found.items():
        rows.append(f'<text x="{left - 8}" y="{y + bar + 4:g}" text-anchor="end">{name}</text>')
        for shade, one in enumerate(by_size.values()):
            low, high = (left + wide * min(end / 100, 1.1) for end in (one.low, one.high))
            rows.append(
                f'<rect class="s{shade}" x="{left}" y="{y:g}" width="{wide * one.share / 100:.1f}" '
                f'height="{bar - 1}"/><path d="M{low:.1f} {y + bar / 2:g}H{high:.1f}"/>'
                f'<text x="{max(high, left) + 6:.1f}" y="{y + bar - 2:g}">{percent(one)}</text>'
            )
            y += bar
        y += 6
    for mark in (0, 25, 50, 75, 100):
        x = left + wide * mark // 100
        rows.append(f'<path class="grid" d="M{x} 20V{y:g}"/><text x="{x}" y="{y + 12:g}" '
                    f'text-anchor="middle">{mark} %</text>')  # fmt: skip
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
