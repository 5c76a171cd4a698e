"""The figures as tables, not yet as rich or Markdown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, log
from typing import NamedTuple

from baselines import BASELINES, PEAK, TELL_OPENBLAS, TOLD
from calls import PROBES
from inputs import LINE, SAMPLE, SAMPLE_CHARS
from kernels import SIZES
from results import Cell, Results

GIL_ALWAYS_FREED = ("cffi", "torch")


class Figure(NamedTuple):
    """A value, its spread, and whether it is among the best of its like."""

    value: str
    spread: float | None = None
    best: bool = False


NONE = Figure("–")


@dataclass
class Table:
    """Rows of figures under headings; a rule stands before row `rule`."""

    title: str
    headings: list[str]
    rows: list[tuple[str, list[Figure]]]
    rule: int
    notes: list[str] = field(default_factory=list)


def probes(results: Results) -> Table:
    """Nanoseconds a call, a row for each probe, a column for each door."""
    doors = [name for name in results.doors if name != "numpy"]
    rows = []
    for probe in PROBES:
        cells = [results.cell(f"probe {probe}", door) for door in doors]
        native = [
            cell.median
            for door, cell in zip(doors, cells, strict=True)
            if cell and door != "python"
        ]
        figures = []
        for door, cell in zip(doors, cells, strict=True):
            if cell is None:
                figures.append(NONE)
                continue
            mark = "*" if probe == "noop" and door in GIL_ALWAYS_FREED else ""
            best = door != "python" and cell.median <= 1.05 * min(native)
            figures.append(Figure(_short(cell.median * 1e9) + mark, cell.spread, best))
        rows.append((probe, figures))
    if "capi" in results.open_doors:
        rows.append(("× capi, geo. mean", [Figure(_times_capi(results, door)) for door in doors]))
    return Table(
        "Cost of a call, ns above evaluating its arguments",
        doors,
        rows,
        rule=len(PROBES),
        notes=[
            "str_in and bytes_in: 11 bytes; arrays and lists: 8 floats; keywords: two of them.",
            "* frees the GIL all the same: cffi and torch in every probe, ctypes in all but noop.",
        ],
    )


def _times_capi(results: Results, door: str) -> str:
    logs = []
    for probe in PROBES:
        cell, floor = (results.cell(f"probe {probe}", name) for name in (door, "capi"))
        if cell and floor and min(cell.median, floor.median) > 0:
            logs.append(log(cell.median / floor.median))
    return f"{exp(sum(logs) / len(logs)):.1f}×" if logs else "–"


def matmul(results: Results) -> Table:
    """GFLOP/s by size."""
    peak = results.cell("matmul peak", PEAK)
    columns: list[Column] = [
        (str(n), f"matmul {n}", lambda cell: _short(cell.rate / 1e9)) for n in SIZES
    ]
    if peak is not None:
        rate = peak.rate
        columns.append(("of peak", f"matmul {SIZES[-1]}", lambda cell: f"{cell.rate / rate:.0%}"))
    notes = ["float32, square, result allocated, one thread."]
    if peak is not None:
        notes.append(
            f"Peak of one core, by independent multiply-adds: {rate / 1e9:.0f} GFLOP/s; "
            f"'of peak' is at {SIZES[-1]}."
        )
    if TOLD in results.cells[f"matmul {SIZES[0]}"]:
        told = "=".join(*TELL_OPENBLAS.items())
        notes.append(f"† {told}: what OpenBLAS does when told that there is AVX-512.")
    return _contest(results, "matmul, GFLOP/s by size", "matmul", columns, notes)


def records(results: Results) -> Table:
    """MB/s and records/s of the three jobs."""
    columns: list[Column] = []
    for job in ("index", "decode", "fixed"):
        columns.append((f"{job} MB/s", f"records {job}", lambda cell: _short(cell.rate / 1e6)))
        columns.append(("rec/s", f"records {job}", lambda cell: _short(1 / cell.median)))
    notes = [
        f"Index and decode: {results.inputs['records']}. Fixed: ticks of 61 bytes, big-endian.",
        "Doors check both CRCs of every record; struct, protobuf and tfrecord check none.",
        f"python, protobuf, tfrecord and struct's fixed read {SAMPLE} records, the others all.",
    ]
    return _contest(results, "records, one thread", "records", columns, notes)


def tokenizer(results: Results) -> Table:
    """MB/s of a long text, microseconds of a short line."""
    columns: list[Column] = [
        ("text MB/s", "tokenizer text", lambda cell: _short(cell.rate / 1e6)),
        ("line µs", "tokenizer line", lambda cell: _short(cell.median * 1e6)),
    ]
    notes = [
        f"{results.inputs['tokenizer']}, gpt2 pattern. The line has {len(LINE)} bytes.",
        f"python reads {SAMPLE_CHARS} characters. HF tokenizers remembers the words it has seen.",
    ]
    return _contest(results, "tokenizer, one thread", "tokenizer", columns, notes)


Column = tuple[str, str, Callable[[Cell], str]]
"""Heading, group, and how a cell reads."""


def _contest(
    results: Results, title: str, kernel: str, columns: list[Column], notes: list[str]
) -> Table:
    libraries = [name for name in BASELINES[kernel] if name != PEAK]
    libraries += [TOLD] if TOLD in results.cells.get(columns[0][1], {}) else []
    doors = [name for name in results.doors if name != "numpy" or kernel != "tokenizer"]
    rows = []
    for name in (*doors, *libraries):
        figures = []
        for _, group, text in columns:
            cell = results.cell(group, name)
            if cell is None:
                figures.append(NONE)
                continue
            everyone = results.cells[group].values()
            best = cell.median <= 1.05 * min(other.median for other in everyone)
            figures.append(Figure(text(cell), cell.spread, best))
        rows.append((name, figures))
    headings = [heading for heading, *_ in columns]
    return Table(title, headings, rows, rule=len(doors), notes=notes)


TABLES = {"probes": probes, "matmul": matmul, "records": records, "tokenizer": tokenizer}


def _short(value: float) -> str:
    if abs(value) >= 999_500:
        return f"{value / 1e6:.3g}M"
    if abs(value) >= 9_999.5:
        return f"{value / 1e3:.0f}k"
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.2g}"
