"""Measure a small application through each binding: strings, a dict, arrays, errors."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import ROOT
from benchmarks.core import native
from benchmarks.core.extensions import SUFFIXES, Options, build
from benchmarks.core.statements import Cost, costs
from benchmarks.studies import application
from benchmarks.studies.application.sample import LINES, WEIGHTS, WRONG
from benchmarks.studies.experts.common import Result, ranked, shown, times
from benchmarks.study import Setting

HERE = Path(application.__file__).parent
NAMES = ("python", "capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
GLUE = {"ctypes": "flat.c", "cffi": "_log_cffi.py", "torch": "_log_torch.cpp"}
"""By binding whose module is written in Python, what is compiled."""
SETUP = (
    "from benchmarks.studies.application.sample import LINES, BAD, WEIGHTS\nfrom {} import parse"
)
COLUMNS = {
    "200 lines": "parse(LINES, WEIGHTS)",
    "the last is wrong": "try:\n    parse(BAD, WEIGHTS)\nexcept ValueError:\n    pass",
}


def prepare(name: str, folder: Path) -> str:
    """Build a binding's module in a folder, and return the name to import it by."""
    if name == "python":
        return "benchmarks.studies.application.log_python"
    if name in GLUE:
        shutil.copy(HERE / f"log_{name}.py", folder)
    if name == "ctypes":
        native.shared(HERE / GLUE[name], folder)
    else:
        source = HERE / GLUE.get(name, f"log_{name}{SUFFIXES[name]}")
        build(name, source, folder, Options(include=(HERE,)))
    return f"log_{name}"


def wrong(parse: Any) -> str | None:
    """Return how a parser differs from the reference, or None."""
    from benchmarks.studies.application.log_python import parse as reference

    found, wanted = parse(LINES, WEIGHTS), reference(LINES, WEIGHTS)
    if found.keys() != wanted.keys():
        return f"it found the services {sorted(found)}"
    if not all(np.array_equal(np.asarray(found[name]), wanted[name]) for name in wanted):
        return "it found other durations"
    for message, line in WRONG.items():
        try:
            parse([*LINES[:2], line, *LINES[3:]], WEIGHTS)
        except ValueError as error:
            said = str(error)
        else:
            said = "nothing"
        if said != message:
            return f"it said {said!r}, not {message!r}"
    return None


def measure(setting: Setting) -> Any:
    """Return the costs of a good log and of one whose last line is wrong, by binding."""
    folder = setting.folder / "application"
    folder.mkdir()
    sys.path.insert(0, str(folder))
    columns: dict[str, dict[str, Cost]] = {title: {} for title in COLUMNS}
    for name in NAMES:
        for module in setting.load(name, lambda name=name: prepare(name, folder)).values():
            complaint = wrong(importlib.import_module(module).parse)
            if setting.right(name, complaint is None, complaint or ""):
                cells = {title: (SETUP.format(module), call) for title, call in COLUMNS.items()}
                taken = costs(cells, folder, rounds=setting.rounds, path=[ROOT])
                for title, cost in taken.items():
                    columns[title][name] = cost
    sys.path.remove(str(folder))
    return columns


def show(found: Result, backends: list[str]) -> str:
    """Say how much faster than Python each is."""
    by_name = {name: {"": cost} for name, cost in found["200 lines"].items()}
    said = ranked(
        [name for name in by_name if name != "python"], lambda name: times(by_name, name, "python")
    )
    lines = {name: len(_source(name).read_text("utf-8").splitlines()) for name in by_name}
    titled = {
        title: {f"{name}, {lines[name]} lines": cost for name, cost in column.items()}
        for title, column in found.items()
    }
    return shown(f"A log of 200 lines takes, relative to plain Python: {said}.", titled)


def _source(name: str) -> Path:
    suffix = ".py" if name in GLUE or name == "python" else SUFFIXES[name]
    return HERE / f"log_{name}{suffix}"
