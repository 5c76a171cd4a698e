"""The chart of the break-even sizes of each binding."""

from __future__ import annotations

from typing import Any, NamedTuple

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmarks.ledger.model.even import KERNELS
from benchmarks.ledger.results import Results
from benchmarks.report.even import SIZE, smallest_first
from benchmarks.report.page import svg
from benchmarks.report.table import short

TITLES = {"matmul": "Matrix product", "decode": "Decoding records", "encode": "Encoding text"}
LEVELS = {"5%": True, "1%": False}
"""By level, whether its mark is filled."""


class Chart(NamedTuple):
    """A figure with its caption."""

    title: str
    caption: str
    picture: Markup


def charts(results: Results) -> list[Chart]:
    """Return a chart for each kernel whose break-even sizes were measured."""
    with svg.house_style():
        found = results.model.get("break_even") or {}
        return [_break_even(kernel, by_backend) for kernel, by_backend in found.items()]


def _break_even(kernel: str, by_backend: dict[str, Any]) -> Chart:
    names = smallest_first(by_backend)
    largest = max(KERNELS[kernel][0])
    figure = Figure((4.0, 0.6 + 0.27 * len(names)))
    height = figure.get_figheight()
    axes = figure.add_axes((0.2, 0.5 / height, 0.75, 1 - 0.6 / height))
    axes.set(xscale="log", xlabel=SIZE[kernel], xlim=(0.7, 1.6 * largest))
    axes.grid(axis="y", visible=False)
    for place, name in enumerate(names):
        for level, filled in LEVELS.items():
            _mark(axes, -place, name, by_backend[name]["measured"][level], filled, largest)
    axes.set_yticks([-place for place in range(len(names))], names)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(
        FixedLocator([10.0**power for power in range(6) if 10**power < largest])
    )
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    title = f"{TITLES[kernel]}: {SIZE[kernel]}"
    return Chart(
        TITLES[kernel],
        f"An arrow: beyond {short(largest)}, the largest size that was tried.",
        svg.drawn(figure, kernel, f"Break-even sizes by binding. {title}"),
    )


def _mark(
    axes: Axes, y: int, name: str, measured: list[float | None], filled: bool, largest: int
) -> None:
    """Draw a size with its interval; an arrow stands for more than the largest size tried."""
    size, low, high = measured
    colour, edge = svg.colour(name), 1.5 * largest
    if size:
        axes.plot([low or size, high or edge], [y, y], color=colour, linewidth=4, alpha=0.3)
    style: dict[str, Any] = {"color": colour, "markerfacecolor": colour if filled else "none"}
    axes.plot([size or edge], [y], "o" if size else ">", markersize=7, clip_on=False, **style)
    if filled and size:
        beside: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "fontsize": 8}
        axes.annotate(short(size), (size, y), (0, 5), **beside)
