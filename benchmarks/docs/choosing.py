"""docs/choosing.md: what each technology costs, by what a function is written in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.core.figures import ABSENT, table
from benchmarks.report.table import UNKNOWN, short
from benchmarks.report.tables import FACTS

CODE = {
    "C++": ("nanobind", "pybind11", "cython"),
    "C, or any library with a C interface": (
        "cffi",
        "ctypes",
        "capi",
        "cython",
        "nanobind",
        "pybind11",
    ),
    "Rust": ("pyo3",),
    "Python that should be faster": ("cython",),
    "an operator on PyTorch's tensors": ("torch",),
}
"""By what a function is written in, the tools for it, the most natural first."""
GOOD_FOR = {
    "capi": "control of every detail, with no tool in between",
    "cython": "loops in Python that should run at C speed",
    "pyo3": "native code that cannot corrupt memory, and cargo's packages",
    "nanobind": "C++ classes and functions, small and quick",
    "pybind11": "C++ with inheritance, holders and embedding; most widely used",
    "cffi": "a C library with a header",
    "ctypes": "a C library, a few calls a second, nothing to build",
    "torch": "autograd, `torch.compile`, devices",
}
CALLS = {"add_int": "two ints", "str_in": "a str", "array_in": "an array", "error": "an error"}
"""Patterns, and what the page calls them."""


def parts(figures: Mapping[str, Any]) -> dict[str, str]:
    """Return the marked parts of the page, from a published run."""
    return {"costs": _costs(figures)}


def _costs(figures: Mapping[str, Any]) -> str:
    """Return one table, in which each language has the technologies for it, the best first."""
    heads = ["your function is", "take", *(f"{title}, ns" for title in CALLS.values())]
    heads += [*(f"{term}, {unit}" for term, _, unit in FACTS), "good for"]
    rows = []
    for title, names in CODE.items():
        for name in names:
            first = title if name == names[0] else ""
            rows.append([first, f"`{name}`", *_row(figures, name), GOOD_FOR[name]])
    return table(heads, rows).replace("| --: |", "| --- |", 1)


def _row(figures: Mapping[str, Any], name: str) -> list[str]:
    calls = [_call(figures["cells"].get(f"pattern {row}", {}), name) for row in CALLS]
    found = figures["beyond"].get(name)
    return calls + [figure(found).value if found else ABSENT for _, figure, _ in FACTS]


def _call(cells: Mapping[str, Any], name: str) -> str:
    """Return the cost of code as documented, and that of our page if it is another."""
    documented = cells.get(f"{name} idiomatic")
    ours = _cost(cells.get(name))
    return f"{_cost(documented)} ({ours.partition(' ')[0]})" if documented else ours


def _cost(cell: Mapping[str, Any] | None) -> str:
    """Return a cost with half its interval, or a dash if it is not a measurement."""
    if cell is None:
        return ABSENT
    half = (cell["high"] - cell["low"]) / 2
    if cell["low"] <= 0 or half > UNKNOWN * cell["seconds"]:
        return ABSENT
    return f"{cell['marks']}{short(1e9 * cell['seconds'])} ± {short(1e9 * half)}"
