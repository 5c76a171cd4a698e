"""An SVG of matplotlib's, made smaller, with text as text and the page's variables as colours."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby

import matplotlib as mpl
from markupsafe import Markup, escape
from matplotlib.figure import Figure

NEEDLESS = (
    (r"<!--.*?-->", ""),
    (r'<path d="[^"]*" style="fill: none(; opacity: 0)?"/>', ""),  # no background, no frame
    (r"; font-family: [^;\"]*", ""),  # the page's
    (r"stroke-line(?:cap|join): \w+(; )?", ""),  # the page's
    (r' transform="rotate\(-0 [^)]*\)"', ""),
    (r"xlink:href", "href"),
    (r"\s*\n\s*", " "),
    (r"([;:]) ", r"\1"),
    (r"> +<", "><"),
)
"""What a browser can do without, and what stays of it."""

_stand_ins: dict[str, str] = {}


def colour(variable: str) -> str:
    """Return a colour that stands for a variable of the page while matplotlib draws."""
    return _stand_ins.setdefault(variable, f"#{len(_stand_ins) + 1:06x}")


INK, FAINT = colour("ink"), colour("faint")


@contextmanager
def house_style() -> Iterator[None]:
    """Give a chart the common style: no box, and a faint grid."""
    style = {
        "svg.fonttype": "none",
        "svg.hashsalt": "the same on every run",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": FAINT,
        "grid.linewidth": 0.2,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "lines.linewidth": 1.6,
        "lines.markersize": 3.5,
    }
    with mpl.rc_context(style):
        yield


def drawn(figure: Figure, name: str, title: str) -> Markup:
    """Return the chart under a name of its own; screen readers read its title."""
    file = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(file, format="svg", transparent=True, metadata=nothing)
    head, _, rest = file.getvalue().partition("</defs>")
    frame = head[head.index('viewBox="') :].partition('"')[2].partition('"')[0]
    body = _small(rest.rpartition("</svg>")[0], name)
    return Markup(f'<svg viewBox="{frame}" role="img" aria-label="{escape(title)}">{body}</svg>')


def _small(svg: str, name: str) -> str:
    """Return the same picture in fewer characters."""
    for pattern, rest in NEEDLESS:
        svg = re.sub(pattern, rest, svg, flags=re.DOTALL)
    named = sorted(set(re.findall(r'href="#([^"]+)', svg)))
    svg = re.sub(r' id="([^"]*)"', lambda it: it[0] if it[1] in named else "", svg)
    for number, mark in enumerate(named):
        svg = svg.replace(mark, f"{name}{number}")
    svg = re.sub(r"-?\d+\.\d+", lambda it: f"{round(float(it[0]), 1):g}", svg)
    svg = re.sub(r' d="[^"]*"', lambda it: re.sub(r" ?([MLCz]) ?", r"\1", it[0]), svg)
    for variable, stand_in in _stand_ins.items():
        svg = svg.replace(stand_in, f"var(--{variable})")
    svg = re.sub(r'(?:<use [^>]* style="[^"]*"/>){2,}', _alike, svg)
    while (lighter := re.sub(r"<g>((?:(?!</?g\b).)*)</g>", r"\1", svg)) != svg:
        svg = lighter
    return svg.strip()


def _alike(found: re.Match[str]) -> str:
    """Merge marks that look the same."""
    uses = re.findall(r'(<use [^>]*) style="([^"]*)"/>', found[0])
    return "".join(
        f'<g style="{style}">{"".join(f"{use}/>" for use, _ in same)}</g>'
        for style, same in groupby(uses, lambda use: use[1])
    )
