"""A flame graph of one cell: which functions the instructions of a call are in, and who calls them.

A dump of callgrind has the calls from each function to each other, and no stacks. A function that
is called from several places is drawn under each of them with its share, as KCachegrind does.
"""

from __future__ import annotations

import re
from collections import defaultdict
from html import escape
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from benchmarks.ledger.calls import APART
from benchmarks.ledger.instructions.counting import DUMPS, LONG, UNROLLED

ROOT = "PyObject_CallOneArg"
"""What marks.c calls."""
WIDTH, HEIGHT, LEAST = 1200, 18, 0.002
"""Of the picture, of a line in it, and the smallest share that is drawn."""
NAME = re.compile(r"^(c?fn)=\((\d+)\)(?: (.+))?$")


class Profile(NamedTuple):
    """The instructions of functions."""

    own: dict[str, int]
    """In each function itself."""
    calls: dict[str, dict[str, int]]
    """In what each function calls, by the name of the callee."""

    def total(self, function: str) -> int:
        """Return the instructions of a function and of all that it calls."""
        return self.own.get(function, 0) + sum(self.calls.get(function, {}).values())


def profile(dump: str) -> Profile:
    """Read a dump."""
    names: dict[str, str] = {}
    own: dict[str, int] = defaultdict(int)
    calls: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    function = callee = ""
    called = False
    for line in dump.splitlines():
        if found := NAME.match(line):
            name = names.setdefault(found[2], found[3] or found[2])
            if found[1] == "fn":
                function = name
            else:
                callee = name
        elif line.startswith("calls="):
            called = True
        elif line[:1] in tuple("+-*0123456789"):
            cost = int(line.split()[1])
            if called:
                calls[function][callee] += cost
            else:
                own[function] += cost
            called = False
    return Profile(own, calls)


class Bar(NamedTuple):
    """A function at one place of the graph."""

    name: str
    depth: int
    left: float
    share: float


def bars(one: Profile) -> list[Bar]:
    """Lay out the graph, from the call that is counted."""
    found: list[Bar] = []

    def lay(name: str, path: tuple[str, ...], left: float, share: float) -> None:
        if share < LEAST:
            return
        found.append(Bar(name, len(path), left, share))
        total = one.total(name)
        for callee, cost in sorted(one.calls.get(name, {}).items(), key=lambda call: -call[1]):
            part = share * cost / total
            if callee not in path and callee != name:
                lay(callee, (*path, name), left, part)
            left += part

    lay(ROOT, (), 0.0, 1.0)
    return found


def svg(title: str, one: Profile) -> str:
    """Return the picture; a pointer on a bar shows its name and instructions."""
    drawn = bars(one)
    per_call = one.total(ROOT) / (LONG * UNROLLED)
    height = (max(bar.depth for bar in drawn) + 3) * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="monospace" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="4" y="14">{escape(title)}: {per_call:,.0f} instructions a call</text>',
    ]
    for name, depth, left, share in drawn:
        x, y, width = left * WIDTH, (depth + 1.5) * HEIGHT, share * WIDTH
        shown = name[: int(width / 7)]
        hue = 10 + sum(name.encode()) % 45
        parts.append(
            f"<g><title>{escape(name)}: {share * per_call:,.1f} instructions, {share:.1%}</title>"
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HEIGHT - 1}"'
            f' fill="hsl({hue} 85% 68%)"/>'
            f'<text x="{x + 2:.1f}" y="{y + 13:.1f}">{escape(shown)}</text></g>'
        )
    return "\n".join([*parts, "</svg>\n"])


def draw(cell: str, folder: Path) -> Path:
    """Draw a cell of the last run, `row:contender`, and return the file.

    Raises:
        FileNotFoundError: the last run has not counted it.
    """
    row, _, contender = cell.partition(":")
    try:
        with ZipFile(folder / DUMPS) as archive:
            dump = archive.read(f"{row}/{contender}").decode()
    except (FileNotFoundError, KeyError):
        message = f"the last run has no count of {cell}: run it with callgrind installed"
        if contender.startswith(APART):
            message += f", and without --quick, which does not count {APART}"
        raise FileNotFoundError(message) from None
    path = folder / f"flame-{row}-{contender.replace(' ', '-')}.svg"
    path.write_text(svg(cell, profile(dump)), "utf-8")
    return path
