"""What docs/ladder.md says of the limits, made of the figures in docs/limits.json alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "docs" / "limits.json"
C, AGAIN, AT_ONCE = "C", "C again", "two products at once"
OURS = (C, "Rust")
NOISY = 0.1
PEAK_BAR, ALONE_BAR, TINY_BAR, CALL_BAR = 0.92, 0.95, 15, 6.5
THREADS_BAR = {"256": 1.6}  # and for all that are larger
THREADS_LARGE = 1.95


def summary(figures: Mapping[str, Any]) -> str:
    """All that was measured."""
    made = {"large": _large, "alone": _alone, "call": _call, "threads": _threads}
    parts = [lines(figures[name]) for name, lines in made.items() if name in figures]
    return "\n\n".join(["\n".join(part) for part in parts] + ["\n".join(_notes(figures))])


def _large(large: Mapping[str, Any]) -> list[str]:
    first = next(iter(next(iter(large.values())).values()))
    ours = [name for name in OURS if name in first]
    others = sorted(name for name in first if name not in (*ours, AGAIN))
    heads = [f"{name}, of the peak" for name in ours] + [f"C : {name}" for name in others]
    lines = ["**One thread.**", "", *_head(["", *heads, "C : C"])]
    met = behind = cells = 0
    for dtype, n, samples in _rows(large):
        shares = [_shares(samples[name]) for name in ours]
        ratios = [against(samples, name) for name in others]
        twice = against(samples, AGAIN)
        cells += 1
        met += median(shares[0]) >= PEAK_BAR
        behind += any(median(ratio) < 1 - floor(twice) for ratio in ratios)
        texts = [*map(_percent, shares), *map(_times, ratios), _times(twice)]
        lines.append(f"| {dtype} {n} | {' | '.join(texts)} |")
    return [
        *lines,
        "",
        f"Wanted: {PEAK_BAR:.0%} of the peak, which C has in {met} of {cells} rows; and no library "
        f"faster by more than C differs from itself, which is so in {cells - behind} of {cells}.",
    ]


def _alone(alone: Mapping[str, Any]) -> list[str]:
    names = list(next(iter(next(iter(alone.values())).values())))
    columns = [(dtype, name) for dtype in alone for name in names]
    lines = [
        "**The kernel alone**, warm: a plain loop in its own language, its operands in the caches "
        "and at the beginning of a cache line, if it is not said otherwise.",
        "",
        *_head(["N", *(f"{name}, {dtype}" for dtype, name in columns)]),
    ]
    met = cells = 0
    for n in next(iter(alone.values())):
        texts = []
        for dtype, name in columns:
            samples = alone[dtype][n][name]
            if n == "8":
                texts.append(f"{2 * int(n) ** 3 / median(rate for rate, _ in samples):.0f} ns")
                continue
            texts.append(_percent(_shares(samples)))
            if name in OURS:
                cells += 1
                met += median(_shares(samples)) >= ALONE_BAR
        lines.append(f"| {n} | {' | '.join(texts)} |")
    return [
        *lines,
        "",
        f"Wanted: {TINY_BAR} ns for 8, and {ALONE_BAR:.0%} of the peak from N = 32 on: so in {met} "
        f"of {cells} cells.",
    ]


def _call(call: Mapping[str, list[float]]) -> list[str]:
    ours, numpy = call[C], call["NumPy"]
    ratios = [theirs / mine for mine, theirs in zip(ours, numpy, strict=True)]
    return [
        f"**8×8 through the C API**, with `out`: {median(ours) * 1e9:.0f} ns, `np.matmul` "
        f"{median(numpy) * 1e9:.0f} ns: {_times(ratios)} as fast. Wanted: {CALL_BAR} ×."
    ]


def _threads(threads: Mapping[str, Any]) -> list[str]:
    names = list(next(iter(next(iter(threads.values())).values())))
    lines = ["**Two threads**, as a multiple of one.", "", *_head(["", *names])]
    for dtype, n, ratios in _rows(threads):
        lines.append(f"| {dtype} {n} | {' | '.join(_times(ratios[name]) for name in names)} |")
    met, cells = 0, 0
    for _, n, ratios in _rows(threads):
        cells += 1
        met += median(ratios[C]) >= THREADS_BAR.get(n, THREADS_LARGE)
    return [
        *lines,
        "",
        f"Wanted: {THREADS_LARGE} ×, at 256 {THREADS_BAR['256']} ×: C has it in {met} of {cells} "
        f"rows. What the machine allows is the last column: {AT_ONCE}, each on a thread of its "
        "own, sharing no work.",
    ]


def _notes(figures: Mapping[str, Any]) -> list[str]:
    about = figures["machine"]
    notes = [
        "Each figure is the median over the rounds, with the quartiles; a comparison is of what "
        "was measured in the same round. C : C is the same twice.",
        f"{about['processor']}, {about['cores']} cores, Python {about['python_version']}, NumPy "
        f"{figures['numpy']}.",
    ]
    if figures["best"]:
        types = ", ".join(f"{kind} for {dtype}" for dtype, kind in figures["best"].items())
        notes.append(f"† NumPy in a process of its own with its best OPENBLAS_CORETYPE: {types}.")
    return footnotes(figures, notes)


def footnotes(figures: Mapping[str, Any], notes: Iterable[str]) -> list[str]:
    """Each on a line of its own; with who is absent, and whether others used the machine."""
    others = figures["noise"]["others"] or 0
    absent = (f"{name} is absent: {reason}." for name, reason in figures["absent"].items())
    noisy = [f"Noisy: other processes had {others:.0%} of the machine."] if others > NOISY else []
    return [f"{note}  " for note in (*notes, *absent, *noisy)]


def against(samples: Mapping[str, Any], other: str) -> list[float]:
    """C's rate by another's, round by round."""
    return [
        ours / theirs for (ours, _), (theirs, _) in zip(samples[C], samples[other], strict=True)
    ]


def floor(twice: Sequence[float]) -> float:
    """How far the quartiles of a ratio of the same to the same are from 1."""
    low, _, high = quantiles(twice, method="inclusive")
    return max(abs(1 - low), abs(high - 1))


def _shares(samples: Sequence[Sequence[float]]) -> list[float]:
    return [rate / peak for rate, peak in samples]


def _rows(nested: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    for dtype, by_size in nested.items():
        for n, found in by_size.items():
            yield dtype, n, found


def _head(names: Iterable[str]) -> list[str]:
    columns = list(names)
    return [
        f"| {' | '.join(columns)} |".replace("|  |", "| |"),
        "|---|" + "--:|" * (len(columns) - 1),
    ]


def _percent(shares: Sequence[float]) -> str:
    low, middle, high = quantiles(shares, method="inclusive")
    return f"{middle:.0%} ({100 * low:.0f}–{100 * high:.0f})"


def _times(ratios: Sequence[float]) -> str:
    low, middle, high = quantiles(ratios, method="inclusive")
    return f"{middle:.2f} × ({low:.2f}–{high:.2f})"


def spliced(page: str) -> str:
    """Return a page with its marked part written anew."""
    text = summary(json.loads(DATA.read_text("utf-8")))
    marked = r"(<!-- limits: begin -->\n).*?(<!-- limits: end -->)"
    return re.sub(marked, lambda found: f"{found[1]}{text}\n{found[2]}", page, flags=re.DOTALL)
