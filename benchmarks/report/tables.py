"""The tables of a run, independent of where they are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from benchmarks.ledger.baselines import BASELINES, COPY, PEAK
from benchmarks.ledger.costs import ALLOWED, ALLOWED_NS
from benchmarks.ledger.inputs import LINE, SAMPLE, SAMPLE_CHARS
from benchmarks.ledger.kernels import SIZES
from benchmarks.ledger.results import FLOOR, UNKNOWN, Cell, Results
from benchmarks.ledger.rows import ALL, GIL_ALWAYS_FREED, HELD_OUT

ABSENT, MEANS = "–", "× capi"
UNSURE = 0.1
NEAR = 1.05
"""Figures within this factor of the best are marked as best."""
LEGEND = (
    "? half the 95 % interval is over 10 % of the figure and over the noise floor, or there is one "
    "sample only; – not measured, or half the interval is over 50 % of the figure, or the interval "
    "contains zero; ~ what the C API costs, the whole interval within the noise floor; ^ "
    "nanoseconds per instruction out of line with the other calls of the binding; < within the "
    "noise floor of an empty C function."
)
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


class Figure(NamedTuple):
    """A value with the signs of LEGEND that apply; `bold` if it is one of the best."""

    value: str
    marks: str = ""
    bold: bool = False
    interval: str = ""
    """Half of it, in per cent."""


NONE = Figure(ABSENT)


class Table(NamedTuple):
    """Rows of figures under headings; a rule stands before row `rule`."""

    title: str
    headings: list[str]
    rows: list[tuple[str, list[Figure]]]
    rule: int
    notes: list[str]


def number(n: int, noun: str) -> str:
    """Return a number of things, with the noun in the singular or the plural."""
    return f"{n} {noun}{'s' * (n != 1)}"


def short(value: float) -> str:
    """Format a number in at most four characters, or five."""
    if abs(value) >= 999_500:
        return f"{value / 1e6:.3g}M"
    if abs(value) >= 9_999.5:
        return f"{value / 1e3:.0f}k"
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.2g}"


def measured(value: str, cell: Cell, *, best: bool, marks: str = "", floor: float = 0.0) -> Figure:
    """Return a measured value, or a dash where the interval is too wide for a measurement.

    What lies below a noise floor has no interval. A single sample is never the best.
    """
    spread = cell.spread if cell.value > floor else None
    if (spread or 0) > UNKNOWN:
        return NONE
    wide = (spread or 0) > UNSURE and cell.estimate.high - cell.estimate.low > 2 * floor
    once = cell.spread is None
    interval = "" if spread is None else f" ±{spread:.0%}"
    return Figure(value, "?" * (once or wide) + marks, best and not once, interval)


def costs(results: Results, chosen: Collection[str] = ALL) -> Table:
    """Return the nanoseconds of a call: a row for each pattern, a column for each binding."""
    backends = [name for name in results.backends if name != "numpy"]
    every = [name for name in ALL if f"pattern {name}" in results.cells]
    names = [name for name in every if name in chosen]
    rows = [
        (name, [cost(results, name, backend, backend) for backend in backends]) for name in names
    ]
    seconds, fraction = results.floor
    measures = []
    if seconds:
        measures.append(
            f"Noise floor ±{seconds * 1e9:.2g} ns or {fraction:.1%} (the C API against itself)."
        )
    if FLOOR in results.open_backends:
        means = [results.times_floor(backend) for backend in backends]
        rows.append((MEANS, [Figure(f"{mean:.1f}×") if mean else NONE for mean in means]))
        which = "all" if len(every) == len(ALL) else "the measured"
        measures.append(f"{MEANS}: whole calls, the geometric mean over {which} patterns.")
    notes = [" ".join(measures)] if measures else []
    if any(backend in GIL_ALWAYS_FREED for backend in backends):
        notes.append(
            "* releases the GIL in every call of C; the others do so in interruptible and *_nogil."
        )
    title = "Cost of a call, ns above an empty C function of as many arguments"
    headings = [f"{backend}{'*' * (backend in GIL_ALWAYS_FREED)}" for backend in backends]
    return Table(title, headings, rows, len(names), notes)


def cost(results: Results, row: str, backend: str, contender: str) -> Figure:
    """Return the cost of one pattern through one binding, in the variant that `contender` names."""
    group, floor = f"pattern {row}", results.floor[0]
    cell = results.cell(group, contender)
    if cell is None:
        return NONE
    natives = (results.cell(group, one) for one in results.backends if one != "python")
    least = min((one.value for one in natives if one), default=0.0)
    native = backend != "python"
    alike = native and contender != FLOOR and results.alike(group, contender)
    value = short(cell.value * 1e9) if cell.value > floor else f"<{short(floor * 1e9)}"
    value = "0" if cell.value <= floor == 0 else value
    freed = backend in GIL_ALWAYS_FREED and row == "noop" and contender == backend
    return measured(
        value + "*" * freed,
        cell,
        best=native and cell.value <= max(NEAR * least, least + floor),
        marks="~" * alike + "^" * ((row, contender) in results.odd),
        floor=floor,
    )


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
    return measured(short(cell.rate / unit), cell, best=cell.value <= NEAR * least)


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
    held_out = [cell for cell in results.model.get("held_out", []) if cell["row"] in HELD_OUT]
    cells = {(cell["row"], cell["backend"]): cell for cell in held_out}
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
    """Return the files of the bindings, and the time of their imports."""
    rows = [
        (name, [figure(found) for _, figure, _ in FACTS]) for name, found in results.beyond.items()
    ]
    heads = [f"{title}, {unit}" for title, _, unit in FACTS]
    notes = ["Import in a fresh process that has NumPy; its own libraries without symbols."]
    return [Table("Beyond the call", heads, rows, len(rows), notes)] if rows else []


def _bytes(found: Iterable[float], unit: float) -> Figure:
    size = sum(found)
    return Figure(short(size / unit)) if size else NONE


def _own(found: dict[str, Any]) -> Figure:
    own = found["sizes"]["own"].values()
    return _bytes((full if bare is None else bare for full, bare in own), 1e3)


def _import(found: dict[str, Any]) -> Figure:
    it = Cell([[one] for one in found["imports"]])
    return measured(short(it.value * 1e3), it, best=False)


FACTS: tuple[tuple[str, Callable[[dict[str, Any]], Figure], str], ...] = (
    ("import", _import, "ms"),
    ("its files", _own, "KB"),
    ("installed for it", lambda it: _bytes(it["sizes"]["required"].values(), 1e6), "MB"),
)
"""What is said of a binding besides its calls: what, how much, and the unit."""
TABLES: dict[str, Callable[[Results], list[Table]]] = {
    "patterns": lambda results: [costs(results), *predictions(results)],
    **{name: lambda results, name=name: [kernel(results, name)] for name in KERNELS},
    "beyond": beyond,
}
"""By kernel."""
