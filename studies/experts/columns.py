"""Tables of costs: options of the tools, ways to take an array, argtypes, and exceptions."""

from __future__ import annotations

import sys
from functools import partial
from itertools import product
from typing import Any

from benchmarks.core import native
from benchmarks.core.pages import table
from studies import figures
from studies.experts.common import Result, cells, module
from studies.extensions import build
from studies.statements import Cost, costs
from studies.study import Part, Setting


def show(found: Result, _: list[str]) -> str:
    """Return a table: instructions, and nanoseconds in brackets."""
    rows = [
        [row, *(_cell(column.get(row)) for column in found.values())]
        for row in figures.names(found.values())
    ]
    return table(["", *found], rows)


def _cell(cost: Cost | None) -> str:
    if cost is None:
        return figures.ABSENT
    ns, instructions = cost
    return f"{ns:.0f} ns" if instructions is None else f"{instructions:,.0f} ({ns:.0f} ns)"


def stable(setting: Setting) -> Any:
    """Return the costs of the five calls in modules for one version, and for the stable ABI."""
    found = {}
    for tool, abi in product(("capi", "cython", "nanobind", "pyo3"), ("", " abi3")):
        name = tool + abi
        if sys.version_info >= (3, 12) and (folder := module(setting, tool, name, bool(abi))):
            found[name] = costs(cells(f"calls_{tool}"), folder, setting.rounds)
    return found or None


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


COLUMNS = {
    "stable": Part("What does the stable ABI cost a module?", stable, show),
    "arrays": Part("Which way to take an array is cheapest?", arrays, show),
    "argtypes": Part("What does an argument cost with `argtypes`?", argtypes, show),
    "exceptions": Part("What does an exception cost beside other modules?", exceptions, show, 9),
}
