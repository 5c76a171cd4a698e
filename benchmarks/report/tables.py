"""The tables of a run, independent of where they are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.inputs import SAMPLE, SAMPLE_CHARS
from benchmarks.ledger.kernels import BRIEF, SIZES
from benchmarks.ledger.results import FLOOR, UNKNOWN, Cell, Results
from benchmarks.ledger.rows import ALL, GIL_ALWAYS_FREED

ABSENT, MEANS = "–", "× capi"
UNSURE = 0.1
NEAR = 1.05
"""Figures within this factor of the best are marked as best."""
LEGEND = (
    "? half the 95 % interval is over 10 % of the figure and over the noise floor, or there is one "
    "sample only; – not measured, or half the interval is over 50 % of the figure, or the interval "
    "contains zero; ^ nanoseconds per instruction out of line with the other calls of the binding; "
    "< within the noise floor of an empty C function."
)
ATTENTION = ("capped forward", "capped backward", "plain forward", "plain backward")
KERNELS = {
    "matmul": ("matmul, GFLOP/s by size, one thread", 1e9, tuple(map(str, SIZES))),
    "records": ("records, MB/s, one thread", 1e6, ("decode",)),
    "tokenizer": ("tokenizer, MB/s, one thread: a text that it has read before", 1e6, ("text",)),
    "attention": ("attention, GFLOP/s, one thread", 1e9, ATTENTION),
}
"""By kernel: the title of its table, the size of its unit, and the jobs."""


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
    notes = []
    if FLOOR in results.open_backends:
        means = [results.times_floor(backend) for backend in backends]
        rows.append((MEANS, [Figure(f"{mean:.1f}×") if mean else NONE for mean in means]))
        which = "all" if len(every) == len(ALL) else "the measured"
        notes.append(f"{MEANS}: whole calls, the geometric mean over {which} patterns.")
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
    value = short(cell.value * 1e9) if cell.value > floor else f"<{short(floor * 1e9)}"
    value = "0" if cell.value <= floor == 0 else value
    freed = backend in GIL_ALWAYS_FREED and row == "noop" and contender == backend
    return measured(
        value + "*" * freed,
        cell,
        best=native and cell.value <= max(NEAR * least, least + floor),
        marks="^" * ((row, contender) in results.odd),
        floor=floor,
    )


def kernel(results: Results, name: str) -> Table:
    """Return the rates of the bindings and the libraries."""
    title, unit, jobs = KERNELS[name]
    groups = [f"{name} {job}" for job in jobs]
    known = [*results.backends, *BASELINES[name]]
    timed = {one for group in groups for one in results.cells.get(group, {})}
    names = [one for one in known if one in timed]
    rows = [(one, [_rate(results, group, one, unit) for group in groups]) for one in names]
    rule = sum(one in results.backends for one in names)
    return Table(title, list(jobs), rows, rule, _notes(results, name))


def _notes(results: Results, name: str) -> list[str]:
    if name == "matmul":
        return ["float32, square, result allocated."]
    if name == "attention":
        return ["2048 tokens; examples/attention_speed.py says more, and has compiled forms."]
    if name == "records":
        return [
            f"Records: {results.inputs['records']}; python and protobuf read {SAMPLE}.",
            "Bindings check both CRCs of every record; protobuf checks none.",
        ]
    return [
        f"{results.inputs['tokenizer']}, gpt2 pattern.",
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
    title = "Kernels, one thread: matmul (N = 1024), attention GFLOP/s, records and a text MB/s"
    note = f"Libraries: {'; '.join(notes)}."
    return [Table(title, names, rows, len(rows), [note])] if rows else []


TABLES: dict[str, Callable[[Results], Table]] = {
    "patterns": costs,
    **{name: lambda results, name=name: kernel(results, name) for name in KERNELS},
}
"""By kernel."""
