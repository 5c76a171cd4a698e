"""The same five calls through each technology."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from studies.extensions import SUFFIXES, build
from studies.statements import Cells, Cost
from studies.study import Setting

SOURCES = Path(__file__).parent / "sources"
CASES = {
    "no argument": ("noop", "f()"),
    "two ints": ("add", "f(3000, 4000)"),
    "a str of 11": ("length", "f('hello world')"),
    "8 doubles": ("total", "f(a)"),
    "an error": ("fail", "try:\n    f()\nexcept ValueError:\n    pass"),
}
"""Function and statement; `a` is an array.array."""
Result = Mapping[str, Mapping[str, Cost]]
"""By column, by row."""


def cells(module: str, cases: Iterable[str] = CASES, array: str = "array") -> Cells:
    """Return statements for the cases of a module, with an array.array or one of NumPy's."""
    makers = {
        "array": "from array import array\na = array('d', range(8))",
        "numpy": "import numpy\na = numpy.arange(8.0)",
    }
    return {
        case: (f"from {module} import {CASES[case][0]} as f\n{makers[array]}", CASES[case][1])
        for case in cases
    }


def module(setting: Setting, tool: str, name: str, stable: bool = False) -> Path | None:
    """Build a tool's module of the five calls in a folder of that name, or note why not."""
    source, folder = SOURCES / f"calls_{tool}{SUFFIXES[tool]}", setting.folder / name
    made = setting.load(name, lambda: build(tool, source, folder, stable))
    return folder if made else None
