"""Figures of the chapters: boxes, memory cells, arrows and labels as SVG, in light and dark.

A chapter's figures.py has a function for each figure, which returns the Drawing; the file has the
function's name. No figure is committed: `ffi-cookbook learn init` draws them beside the texts.
"""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Self
from xml.sax.saxutils import escape, quoteattr

STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1c1c1e }
  .code { font-family: ui-monospace, monospace; font-size: 13px }
  .small { font-size: 12px; fill: #5b5b60 }
  .plain { fill: #f4f4f6; stroke: #8a8a90 }
  .python { fill: #e3effc; stroke: #2f6fb3 }
  .native { fill: #fdeedd; stroke: #b4691c }
  .wrong { fill: #fde4e4; stroke: #b3261e }
  .line { stroke: #55555a; fill: none; stroke-width: 1.5 }
  .dashed { stroke-dasharray: 5 4 }
  .head { fill: #55555a }
  @media (prefers-color-scheme: dark) {
    text { fill: #ececf0 } .small { fill: #a8a8b0 }
    .plain { fill: #2a2a2e; stroke: #8a8a90 } .python { fill: #16304d; stroke: #6ba6e6 }
    .native { fill: #46301a; stroke: #e0a060 } .wrong { fill: #4d1f1d; stroke: #f2938c }
    .line { stroke: #b6b6bd } .head { fill: #b6b6bd }
  }
"""
HEAD = (
    '<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
    '<path class="head" d="M0,0 L9,4 L0,8 z"/></marker></defs>'
)


class Drawing:
    """A figure of a given size in pixels; `title` is what a screen reader says."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def box(
        self, x: float, y: float, width: float, height: float, text: str = "", kind: str = "plain"
    ) -> Self:
        """Draw a box: `plain`, `python`, `native` or `wrong`; lines of the text are centred."""
        self.parts.append(
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
            ' rx="5"/>'
        )
        lines = text.split("\n") if text else []
        for i, line in enumerate(lines):
            middle = y + height / 2 + 5 + 18 * (i - (len(lines) - 1) / 2)
            self.label(x + width / 2, middle, line, anchor="middle")
        return self

    def cells(
        self, x: float, y: float, values: Sequence[object], width: float = 44, kind: str = "plain"
    ) -> Self:
        """Draw memory: one cell of that width for each value, side by side."""
        for i, value in enumerate(values):
            left = x + i * width
            self.parts.append(
                f'<rect class="{kind}" x="{left:g}" y="{y:g}" width="{width:g}" height="30"/>'
            )
            self.label(left + width / 2, y + 20, str(value), anchor="middle", kind="code")
        return self

    def label(self, x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> Self:
        """Write text at a point: kind `code` or `small`, anchor `start`, `middle` or `end`."""
        style = f' class="{kind}"' if kind else ""
        self.parts.append(
            f'<text{style} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'
        )
        return self

    def arrow(
        self, x1: float, y1: float, x2: float, y2: float, text: str = "", dashed: bool = False
    ) -> Self:
        """Draw an arrow, with a small label above its middle."""
        style = "line dashed" if dashed else "line"
        self.parts.append(
            f'<path class="{style}" marker-end="url(#head)" d="M{x1:g},{y1:g} L{x2:g},{y2:g}"/>'
        )
        if text:
            self.label((x1 + x2) / 2, (y1 + y2) / 2 - 6, text, anchor="middle", kind="small")
        return self

    def svg(self) -> str:
        """Return the file's text."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"'
                f' width="{self.width}" role="img" aria-label={quoteattr(self.title)}>',
                f"<title>{escape(self.title)}</title>",
                f"<style>{STYLE}</style>",
                HEAD,
                *self.parts,
                "</svg>\n",
            ]
        )


def figures(chapter: Path) -> dict[str, str]:
    """Return the text of every figure of a chapter's folder, by file name."""
    found = runpy.run_path(str(chapter / "figures.py")).items()
    draws = {name: each for name, each in found if isinstance(each, FunctionType)}
    return {f"{name}.svg": draw().svg() for name, draw in draws.items()}
