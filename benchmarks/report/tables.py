"""The tables of a run besides the ledger: kernels, the cost model, files, imports, threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.ledger.baselines import BASELINES, COPY, PEAK
from benchmarks.ledger.beyond.threads import speedup
from benchmarks.ledger.costs import ALLOWED, ALLOWED_NS
from benchmarks.ledger.inputs import LINE, SAMPLE, SAMPLE_CHARS
from benchmarks.ledger.kernels import SIZES
from benchmarks.ledger.results import Cell, Results
from benchmarks.ledger.rows import HELD_OUT
from benchmarks.report.ledger import costs, instructions, variants
from benchmarks.report.table import NONE, Figure, Table, short

KERNELS = {
    "matmul": ("matmul, GFLOP/s by size, one thread", 1e9, tuple(map(str, SIZES))),
    "records": ("records, MB/s, one thread", 1e6, ("index", "decode", "fixed")),
    "tokenizer": (
        "tokenizer, MB/s, one thread: texts that it has read before",
        1e6,
        ("text", "line"),
    ),
}
"""By kernel: the title of its table, the size of its unit, and the jobs."""
BRIEF = {"matmul": f"matmul {SIZES[-1]}", "decode": "records decode", "encode": "tokenizer text"}
"""The jobs of the first screen, by name."""
NEAR = 1.05
"""Figures within this factor of the best are marked as best."""


def kernel(results: Results, name: str) -> Table:
    """Return the rates of the bindings and the libraries."""
    title, unit, jobs = KERNELS[name]
    groups = [f"{name} {job}" for job in jobs]
    known = [*results.backends, *(one for one in BASELINES[name] if one not in (PEAK, COPY))]
    timed = {one for group in groups for one in results.cells.get(group, {})}
    names = [one for one in known if one in timed]
    rows = [(one, [_rate(results, group, one, unit) for group in groups]) for one in names]
    rule = sum(one in results.backends for one in names)
    return Table(title, list(jobs), rows, rule, _notes(results, name))


def _notes(results: Results, name: str) -> list[str]:
    if name == "matmul":
        peak = results.cell("matmul peak", PEAK)
        more = f" Peak of one core: {peak.rate / 1e9:.0f} GFLOP/s." if peak else ""
        return [f"float32, square, result allocated.{more}"]
    if name == "records":
        return [
            f"Index and decode: {results.inputs['records']}. Fixed: ticks of 61 bytes, big-endian.",
            "Bindings check both CRCs of every record; struct, protobuf and tfrecord check none.",
            f"python, numpy's index, protobuf, tfrecord and struct's fixed read {SAMPLE} records.",
        ]
    return [
        f"{results.inputs['tokenizer']}, gpt2 pattern. The line has {len(LINE)} bytes.",
        f"python reads {SAMPLE_CHARS} characters. All except tiktoken cache the ids of a pretoken.",
    ]


def _rate(results: Results, group: str, name: str, unit: float) -> Figure:
    cell = results.cell(group, name)
    if cell is None or not cell.known:
        return NONE
    least = min(one.value for one in results.cells[group].values() if one.known)
    best = cell.value <= NEAR * least
    return Figure(short(cell.rate / unit), cell.spread, best, once=cell.spread is None)


def brief(results: Results) -> list[Table]:
    """Return one row for each kernel, and the libraries that people use in a note."""
    names = [name for name in results.backends if name != "numpy"]
    rows, notes = [], []
    for title, group in BRIEF.items():
        if group in results.cells:
            kind = group.split()[0]
            unit = KERNELS[kind][1]
            rows.append((title, [_rate(results, group, name, unit) for name in names]))
            libraries = {name: _rate(results, group, name, unit) for name in BASELINES[kind]}
            shown = [name for name in libraries if libraries[name] is not NONE]
            notes += [f"{name} {libraries[name].marks}{libraries[name].value}" for name in shown]
    title = "Kernels, one thread: matmul GFLOP/s (N = 1024), records and a text read before MB/s"
    note = f"Libraries: {'; '.join(notes)}."
    return [Table(title, names, rows, len(rows), [note])] if rows else []


def predictions(results: Results) -> list[Table]:
    """Return the held-out rows, as measured and as predicted."""
    cells = {(cell["row"], cell["backend"]): cell for cell in results.model.get("held_out", [])}
    if not cells:
        return []
    names = [name for name in HELD_OUT if any(row == name for row, _ in cells)]
    rows = [
        (backend, [_predicted(cells.get((row, backend))) for row in names])
        for backend in dict.fromkeys(backend for _, backend in cells)
    ]
    near = sum(cell["near"] for cell in cells.values())
    note = (
        f"{near} of {len(cells)} are off by at most {ALLOWED:.0%} or {ALLOWED_NS:.0f} ns, "
        "the others are marked !."
    )
    title = "Cost model: calls it was not fitted to, ns measured (predicted)"
    return [Table(title, names, rows, len(rows), [note])]


def _predicted(cell: dict[str, Any] | None) -> Figure:
    if cell is None:
        return NONE
    text = f"{short(cell['measured'])} ({short(cell['predicted'])})"
    return Figure(text if cell["near"] else f"{text} !")


def beyond(results: Results) -> list[Table]:
    """Return the files and imports, and the rate of several threads divided by that of one."""
    if not results.beyond:
        return []
    rows = [
        (name, [figure(found) for _, figure, _ in FACTS]) for name, found in results.beyond.items()
    ]
    heads = [f"{title}, {unit}" for title, _, unit in FACTS]
    notes = ["Import in a fresh process that has NumPy; its own libraries without symbols."]
    tables = [Table("Beyond the call", heads, rows, len(rows), notes)]
    scaling = {name: it["scaling"] for name, it in results.beyond.items() if "scaling" in it}
    if scaling:
        works = next(iter(scaling.values()))
        rows = [(name, [_speedup(one) for one in it.values()]) for name, it in scaling.items()]
        crews = ", ".join(f"{times['threads']} in {work}" for work, times in works.items())
        title = "Threads, times as much as one does"
        tables.append(Table(title, list(works), rows, len(rows), [f"Threads: {crews}."]))
    return tables


def _bytes(found: Iterable[float], unit: float) -> Figure:
    size = sum(found)
    return Figure(short(size / unit)) if size else NONE


def _own(found: dict[str, Any]) -> Figure:
    own = found["sizes"]["own"].values()
    return _bytes((full if bare is None else bare for full, bare in own), 1e3)


def _import(found: dict[str, Any]) -> Figure:
    it = Cell([[one] for one in found["imports"]["warm"]])
    return Figure(short(it.value * 1e3), it.spread, once=it.spread is None)


def _speedup(times: dict[str, Any]) -> Figure:
    it = speedup(times)
    return Figure(short(it.value), (it.high - it.low) / 2 / it.value)


FACTS: tuple[tuple[str, Callable[[dict[str, Any]], Figure], str], ...] = (
    ("import", _import, "ms"),
    ("its files", _own, "KB"),
    ("installed for it", lambda it: _bytes(it["sizes"]["required"].values(), 1e6), "MB"),
)
"""What is said of a binding besides its calls: what, how much, and the unit."""
TABLES: dict[str, Callable[[Results], list[Table]]] = {
    "patterns": lambda results: [
        costs(results),
        *instructions(results),
        *variants(results),
        *predictions(results),
    ],
    **{name: lambda results, name=name: [kernel(results, name)] for name in KERNELS},
    "beyond": beyond,
}
"""By kernel."""
