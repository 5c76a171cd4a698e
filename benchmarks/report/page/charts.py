"""The charts: what is left of a binding's cost as the work grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from benchmarks.ledger.kernels import SIZES
from benchmarks.ledger.results import Results
from benchmarks.report.page import svg
from benchmarks.report.page.saved import backends

SIZE = (6.4, 3.7)
MARKERS = {
    "capi": "o", "cython": "s", "pyo3": "D", "nanobind": "^", "pybind11": "v", "cffi": "P",
    "ctypes": "X", "torch": "p", "python": ".", "numpy": ".", "np.matmul": ".",
}  # fmt: skip
LIBRARIES = ("np.matmul",)
LIMITS = (5, 1)
LEAST = 0.5
"""Per cent of a call's time; below the least all is noise."""
KERNELS = {
    "matmul": ("matmul", "N, of two N × N matrices", 2.0),
    "decode": ("decoding records", "records", 10.0),
    "encode": ("encoding a text", "bytes", 10.0),
}
"""Title, axis and its steps, of the kernels whose break-even was looked for."""


class Chart(NamedTuple):
    """A figure with its caption."""

    title: str
    caption: str
    picture: Markup


Series = tuple[str, Sequence[float], Sequence[float]]
"""Name, and points."""


def charts(results: Results) -> list[Chart]:
    """Those for which there are data."""
    with svg.house_style():
        found = [
            _break_even(kernel, by_backend)
            for kernel, by_backend in results.model.get("break_even", {}).items()
        ]
        speed = _matmul(results)
        return found + ([speed] if speed else [])


def _break_even(kernel: str, by_backend: dict[str, Any]) -> Chart:
    what, sizes, base = KERNELS[kernel]
    figure, axes = _axes(sizes, "% of the call's time")
    series, crossings = [], []
    for backend, found in by_backend.items():
        shares = [
            (size, 100 * (whole - alone) / whole)
            for size, whole, alone in zip(
                found["sizes"], found["backend_s"], found["alone_s"], strict=True
            )
        ]
        seen = [(size, share) for size, share in shares if size and share > LEAST]
        series.append((backend, [size for size, _ in seen], [share for _, share in seen]))
        for limit in LIMITS:
            crossing = found["measured"].get(f"{limit}%")
            if crossing and crossing[0]:
                crossings.append((backend, crossing[0], limit))
    for limit in LIMITS:
        axes.axhline(limit, color=svg.INK, linewidth=0.7, linestyle=(0, (2, 3)))
    _lines(axes, series, lambda one: -max(one[1], default=0))
    for backend, size, limit in crossings:
        axes.plot(
            [size],
            [limit],
            MARKERS.get(backend, "o"),
            color=svg.colour(backend),
            markersize=8,
            fillstyle="none",
            clip_on=False,
        )
    _ticks(axes, base)
    return Chart(
        f"What {what} leaves of a binding's cost",
        "",
        svg.drawn(figure, kernel, f"Share of a call's time that is the binding's, by size: {what}"),
    )


def _matmul(results: Results) -> Chart | None:
    names = [*backends(results), *LIBRARIES]
    series = []
    for name in names:
        cells = [(n, results.cell(f"matmul {n}", name)) for n in SIZES]
        points = [(n, cell.rate / 1e9) for n, cell in cells if cell]
        if len(points) > 1:
            series.append((name, [n for n, _ in points], [rate for _, rate in points]))
    if not series:
        return None
    figure, axes = _axes("N, of two N × N matrices", "GFLOP/s")
    _lines(axes, series, lambda one: -one[2][0])
    _ticks(axes, 2.0)
    return Chart(
        "What matmul reaches through each binding",
        "float32, one thread, the result allocated. Where lines meet, the binding costs nothing.",
        svg.drawn(figure, "speed", "Speed of matmul through each binding, by size of the matrices"),
    )


def _axes(x: str, y: str) -> tuple[Figure, Axes]:
    figure = Figure(SIZE)
    axes = figure.add_axes((0.1, 0.14, 0.69, 0.82))
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    axes.grid(clip_on=False)
    return figure, axes


def _lines(axes: Axes, series: Iterable[Series], key: Callable[[Series], float]) -> None:
    """With their names beside them, in the order of the key."""
    for name, x, y in sorted(series, key=key):
        axes.plot(
            x,
            y,
            marker=MARKERS.get(name, "."),
            color=svg.colour(_variable(name)),
            label=name,
            clip_on=False,
        )
    axes.legend(
        loc="center left",
        bbox_to_anchor=(1.02, 0.5),
        frameon=False,
        handlelength=1.2,
        labelspacing=0.7,
    )


def _variable(name: str) -> str:
    return "faint" if name in LIBRARIES else name


def _ticks(axes: Axes, base: float) -> None:
    """At powers of ten, of sizes at those of `base`."""
    for axis, step in ((axes.xaxis, base), (axes.yaxis, 10.0)):
        low, high = sorted(axis.get_view_interval())
        powers = [step**power for power in range(-3, 20)]
        axis.set_major_locator(FixedLocator([one for one in powers if low <= one <= high]))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
