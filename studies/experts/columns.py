"""Tables of costs: options of the tools, ways to take an array, argtypes, and exceptions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from statistics import geometric_mean
from typing import Any, NamedTuple

from benchmarks.core import native
from benchmarks.core.pages import table
from studies import figures
from studies.experts.common import Result, cells, module
from studies.extensions import Options, build
from studies.statements import Cost, costs
from studies.study import Setting


class Columns(NamedTuple):
    """A question, what measures the columns, and the sentence above their table."""

    title: str
    measure: Callable[[Setting], Any]
    said: Callable[[Result], str]
    rounds: int = 15

    def show(self, found: Result, _: list[str]) -> str:
        """Return the sentence and a table: instructions, and nanoseconds in brackets."""
        rows = [
            [row, *(_cell(column.get(row)) for column in found.values())]
            for row in figures.names(found.values())
        ]
        return f"{self.said(found)}\n\n{table(['', *found], rows)}"


def _cell(cost: Cost | None) -> str:
    if cost is None:
        return figures.ABSENT
    ns, instructions = cost
    return f"{ns:.0f} ns" if instructions is None else f"{instructions:,.0f} ({ns:.0f} ns)"


def times(found: Result, column: str, other: str) -> float:
    """Return the geometric mean of a column by another, of instructions where both have them."""
    return geometric_mean(_ratio(cost, found[other][row]) for row, cost in found[column].items())


def _ratio(one: Cost, other: Cost) -> float:
    (ns, count), (other_ns, other_count) = one, other
    return count / other_count if count and other_count else ns / other_ns


def built(columns: Mapping[str, tuple[str, Options]], setting: Setting) -> Any:
    """Return the costs of the five calls of modules that are built with options of their tools."""
    found = {}
    for name, (tool, options) in columns.items():
        if folder := module(setting, tool, name, options):
            found[name] = costs(cells(f"calls_{tool}"), folder, setting.rounds)
    return found or None


ABI = " abi3"
STABLE = {
    tool + abi: (tool, Options(stable=bool(abi)))
    for tool in ("capi", "cython", "nanobind", "pyo3")
    for abi in ("", ABI)
    if sys.version_info >= (3, 12)
}
TRUE, FALSE = "binding=True", "binding=False"
BINDING = {name: ("cython", Options(directives=(name,))) for name in (TRUE, FALSE)}


def _stable(found: Result) -> str:
    ratios = {
        name: times(found, name + ABI, name)
        for name in found
        if name + ABI in found
    }  # fmt: skip
    said = ", ".join(
        f"{name} {ratios[name]:.2f} ×" for name in sorted(ratios, key=ratios.__getitem__)
    )
    return (
        f"Built for the stable ABI of 3.12, the five calls take, on average: {said}. "
        "pybind11 has no stable ABI."
    )


def _binding(found: Result) -> str:
    return (
        f"A function with `{TRUE}`, the default since Cython 3, takes on average "
        f"{times(found, TRUE, FALSE):.2f} × as long as one without; it has a signature, "
        "annotations and defaults that Python can read, and can be a method."
    )


TAKERS = {
    "nb::ndarray": ("nanobind", "total"),
    "py::array_t": ("pybind11", "total"),
    "py::buffer": ("pybind11", "total_buffer"),
    "PyObject_GetBuffer": ("capi", "total"),
    "memoryview (Cython)": ("cython", "total"),
    "PyBuffer (PyO3)": ("pyo3", "total"),
}
ARRAYS = {"numpy": "8 doubles, numpy.ndarray", "array": "8 doubles, array.array"}


def arrays(setting: Setting) -> Any:
    """Return the costs of one sum in each way, for an array of NumPy and an array.array."""
    columns: dict[str, Any] = {}
    for way, (tool, function) in TAKERS.items():
        if folder := module(setting, tool, f"arrays {tool}"):
            asked = {}
            for array, title in ARRAYS.items():
                ((setup, statement),) = cells(f"calls_{tool}", ["8 doubles"], array).values()
                asked[title] = (setup.replace("import total ", f"import {function} "), statement)
            columns[way] = costs(asked, folder, rounds=setting.rounds)
    return columns or None


def _arrays(found: Result) -> str:
    order = sorted(found, key=lambda way: found[way][ARRAYS["numpy"]][1] or 0)
    said = ", ".join(f"`{way}` {found[way][ARRAYS['numpy']][1] or 0:,.0f}" for way in order)
    return f"Taking and summing a NumPy array costs this many instructions: {said}."


MOST = 6
ARGTYPES = {
    "nothing set": "",
    "`argtypes` of c_long": "f.argtypes = [ctypes.c_long] * {n}",
    "`argtypes` of c_double": "f.argtypes = [ctypes.c_double] * {n}",
}


def argtypes(setting: Setting) -> Any:
    """Return the costs of calls of C functions with 0 to 6 arguments, which do nothing."""
    source = setting.folder / "arguments.c"
    source.write_text(
        "\n".join(
            f"void {kind}{n}({', '.join([kind] * n) or 'void'}) {{}}"
            for kind in ("long", "double")
            for n in range(MOST + 1)
        )
    )
    library = native.shared(source, setting.folder)
    columns = {}
    for way, declared in ARGTYPES.items():
        kind, value = ("double", "2.5") if "double" in way else ("long", "3000")
        load = f"import ctypes\nf = ctypes.CDLL({str(library)!r}).{kind}"
        asked = {
            f"{n}": (
                f"{load}{n}\nf.restype = None\n{declared.format(n=n)}",
                f"f({', '.join([value] * n)})",
            )
            for n in (0, 1, 2, MOST)
        }
        columns[way] = costs(asked, setting.folder, rounds=setting.rounds)
    return columns


def _argtypes(found: Result) -> str:
    said = ", ".join(
        f"{(column[str(MOST)][1] or 0) / MOST - (column['0'][1] or 0) / MOST:,.0f} instructions "
        f"({(column[str(MOST)][0] - column['0'][0]) / MOST:.0f} ns) with {way}"
        for way, column in found.items()
    )
    return f"Each argument of a ctypes function costs {said}."


OTHERS = (0, 1, 4)
OTHER = """\
#include <pybind11/pybind11.h>
struct Error : std::exception {{}};
PYBIND11_MODULE(other{i}, m) {{
  pybind11::register_exception<Error>(m, "Error");
  m.def("fail", [] {{ throw Error(); }});
}}
"""
TORCH = "torch"


def exceptions(setting: Setting) -> Any:
    """Return the cost of an error in a module alone, beside other modules, and beside torch."""
    others = setting.folder / "others"
    others.mkdir()
    for i in range(max(OTHERS)):
        source = others / f"other{i}.cpp"
        source.write_text(OTHER.format(i=i))
        build("pybind11", source, others)
    columns: dict[str, dict[str, Cost]] = {}
    for tool in ("pybind11", "nanobind", "capi"):
        if folder := module(setting, tool, f"exceptions {tool}"):
            ((setup, statement),) = cells(f"calls_{tool}", ["an error"]).values()
            columns[tool] = {}
            for n in OTHERS:
                loads = "".join(f"import other{i}\n" for i in range(n))
                asked = {f"{n} other module{'s' * (n != 1)}": (loads + setup, statement)}
                columns[tool] |= costs(asked, folder, rounds=setting.rounds, path=[others])
            asked = {TORCH: (f"import torch\n{setup}", statement)}
            beside = partial(costs, asked, folder, rounds=3, counted=False)
            columns[tool] |= setting.load(TORCH, beside).get(TORCH, {})
    return columns


def _exceptions(found: Result) -> str:
    most = f"{max(OTHERS)} other modules"
    said = "; ".join(
        f"{tool} {column['0 other modules'][0]:.0f} ns alone, {column[most][0]:.0f} ns beside "
        f"{most} that register an exception"
        + (f", {column[TORCH][0]:.0f} ns beside torch" if TORCH in column else "")
        for tool, column in found.items()
    )
    return f"An error raised and caught takes: {said}."


COLUMNS = {
    "stable": Columns("What does the stable ABI cost a module?", partial(built, STABLE), _stable),
    "binding": Columns("What does `binding=True` cost?", partial(built, BINDING), _binding),
    "arrays": Columns("Which way to take an array is cheapest?", arrays, _arrays),
    "argtypes": Columns("What does an argument cost with `argtypes`?", argtypes, _argtypes),
    "exceptions": Columns(
        "What does an exception cost beside other modules?", exceptions, _exceptions, 9
    ),
}
