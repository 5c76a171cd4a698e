"""Compare the ways to take an array: nb::ndarray, py::array_t, and the buffer protocol."""

from __future__ import annotations

from typing import Any

from studies.experts.common import Result, cells, module, shown
from studies.statements import costs
from studies.study import Setting

WAYS = {
    "nb::ndarray": ("nanobind", "total"),
    "py::array_t": ("pybind11", "total"),
    "py::buffer": ("pybind11", "total_buffer"),
    "PyObject_GetBuffer": ("capi", "total"),
    "memoryview (Cython)": ("cython", "total"),
    "PyBuffer (PyO3)": ("pyo3", "total"),
}
ARRAYS = {"numpy": "8 doubles, numpy.ndarray", "array": "8 doubles, array.array"}


def measure(setting: Setting) -> Any:
    """Return the costs of one sum in each way, for an array of NumPy and an array.array."""
    columns: dict[str, Any] = {}
    for way, (tool, function) in WAYS.items():
        if folder := module(setting, tool, f"arrays {tool}"):
            asked = {}
            for array, title in ARRAYS.items():
                ((setup, statement),) = cells(f"calls_{tool}", ["8 doubles"], array).values()
                asked[title] = (setup.replace("import total ", f"import {function} "), statement)
            columns[way] = costs(asked, folder, rounds=setting.rounds)
    return columns or None


def show(found: Result, backends: list[str]) -> str:
    """Say which is cheapest for NumPy's arrays."""
    order = sorted(found, key=lambda way: found[way][ARRAYS["numpy"]][1] or 0)
    said = ", ".join(f"`{way}` {found[way][ARRAYS['numpy']][1] or 0:,.0f}" for way in order)
    return shown(f"Taking and summing a NumPy array costs this many instructions: {said}.", found)
