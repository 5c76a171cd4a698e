"""The speeds of the kernels, as tables."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.ledger.baselines import BASELINES, BLAS, COPY, CORE_TYPE, NUMPY_OWN, PEAK
from benchmarks.ledger.inputs import LINE, SAMPLE, SAMPLE_CHARS
from benchmarks.ledger.kernels import SIZES
from benchmarks.ledger.results import Cell, Results
from benchmarks.report.beyond import tables as beyond
from benchmarks.report.even import even, predictions
from benchmarks.report.ledger import costs, instructions, variants
from benchmarks.report.table import NONE, Figure, Table, short


def matmul(results: Results) -> Table:
    """Return GFLOP/s by size."""
    peak = results.cell("matmul peak", PEAK)
    columns: list[Column] = [
        (str(n), f"matmul {n}", lambda cell: short(cell.rate / 1e9)) for n in SIZES
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
    if BLAS in results.cells[f"matmul {SIZES[0]}"]:
        notes.append(
            f"{BLAS}: scipy-openblas32 through ctypes, see docs/bind-an-existing-library.md."
        )
    if NUMPY_OWN in results.cells[f"matmul {SIZES[0]}"]:
        setting = "=".join(*CORE_TYPE.items())
        notes.append(f"† {setting}: OpenBLAS, made to use AVX-512.")
    return _contest(results, "matmul, GFLOP/s by size", "matmul", columns, notes)


def records(results: Results) -> Table:
    """Return MB/s and records/s of the three jobs."""
    columns: list[Column] = []
    for job in ("index", "decode", "fixed"):
        columns.append((f"{job} MB/s", f"records {job}", lambda cell: short(cell.rate / 1e6)))
        columns.append(("rec/s", f"records {job}", lambda cell: short(1 / cell.value)))
    notes = [
        f"Index and decode: {results.inputs['records']}. Fixed: ticks of 61 bytes, big-endian.",
        "Bindings check both CRCs of every record; struct, protobuf and tfrecord check none.",
        f"python, numpy's index, protobuf, tfrecord and struct's fixed read {SAMPLE} records, the "
        "others all.",
    ]
    return _contest(results, "records, one thread", "records", columns, notes)


def tokenizer(results: Results) -> Table:
    """Return MB/s of a long text, and microseconds of a short line."""
    columns: list[Column] = [
        ("same text, MB/s", "tokenizer text", lambda cell: short(cell.rate / 1e6)),
        ("same line, µs", "tokenizer line", lambda cell: short(cell.value * 1e6)),
    ]
    notes = [
        f"{results.inputs['tokenizer']}, gpt2 pattern. The line has {len(LINE)} bytes.",
        f"python reads {SAMPLE_CHARS} characters. Each tokenizer has read the text before.",
        "All except tiktoken cache the ids of a pretoken; first calls and other texts: "
        "docs/tokenizer-speed.md.",
    ]
    title = "tokenizer, one thread: a text that it has read before"
    return _contest(results, title, "tokenizer", columns, notes)


def brief(results: Results) -> list[Table]:
    """Return one row for each kernel, and the libraries that people use in a note."""
    rows, notes = [], []
    names = [name for name in results.backends if name != "numpy"]
    for title, group, scale in BRIEF:
        cells = results.cells.get(group, {})
        if not cells:
            continue
        best = 1.05 * min(cell.value for cell in cells.values())
        figures = {
            name: Figure(
                short(cell.rate / scale), cell.spread, cell.value <= best, once=cell.spread is None
            )
            for name, cell in cells.items()
        }
        rows.append((title, [figures.get(name, NONE) for name in names]))
        libraries = [name for name in BASELINES[group.split()[0]] if name in figures]
        notes += [f"{name} {figures[name].marks}{figures[name].value}" for name in libraries]
    title = "Kernels, one thread: matmul GFLOP/s (N = 1024), records and a text read before MB/s"
    return (
        [Table(title, names, rows, len(rows), [f"Libraries: {'; '.join(notes)}."])] if rows else []
    )


BRIEF = (
    ("matmul", f"matmul {SIZES[-1]}", 1e9),
    ("decode", "records decode", 1e6),
    ("encode", "tokenizer text", 1e6),
)
"""Title, group, and what the unit is worth."""
Column = tuple[str, str, Callable[[Cell], str]]
"""Heading, group, and how a cell reads."""


def _contest(
    results: Results, title: str, kernel: str, columns: list[Column], notes: list[str]
) -> Table:
    libraries = [name for name in BASELINES[kernel] if name not in (PEAK, COPY)]
    libraries += [NUMPY_OWN] if NUMPY_OWN in results.cells.get(columns[0][1], {}) else []
    backends = [name for name in results.backends if name != "numpy" or kernel != "tokenizer"]
    rows = []
    for name in (*backends, *libraries):
        figures = []
        for _, group, text in columns:
            cell = results.cell(group, name)
            if cell is None:
                figures.append(NONE)
                continue
            everyone = results.cells[group].values()
            best = cell.value <= 1.05 * min(other.value for other in everyone)
            figures.append(Figure(text(cell), cell.spread, best, once=cell.spread is None))
        rows.append((name, figures))
    headings = [heading for heading, *_ in columns]
    return Table(title, headings, rows, rule=len(backends), notes=notes)


TABLES: dict[str, Callable[[Results], list[Table]]] = {
    "patterns": lambda results: [costs(results), *instructions(results), *variants(results)],
    "matmul": lambda results: [matmul(results)],
    "records": lambda results: [records(results)],
    "tokenizer": lambda results: [tokenizer(results)],
    "even": lambda results: [*even(results), *predictions(results)],
    "beyond": beyond,
}
"""By kernel."""
