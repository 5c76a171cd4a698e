"""Measure what an exception costs when other extension modules are loaded."""

from __future__ import annotations

from typing import Any

from studies.experts.common import Result, cells, module, shown
from studies.extensions import build
from studies.statements import Cost, costs
from studies.study import Setting

TOOLS = ("pybind11", "nanobind", "capi")
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


def measure(setting: Setting) -> Any:
    """Return the cost of an error in a module alone, beside other modules, and beside torch."""
    others = setting.folder / "others"
    others.mkdir()
    for i in range(max(OTHERS)):
        source = others / f"other{i}.cpp"
        source.write_text(OTHER.format(i=i))
        build("pybind11", source, others)
    columns: dict[str, dict[str, Cost]] = {}
    for tool in TOOLS:
        if folder := module(setting, tool, f"exceptions {tool}"):
            ((setup, statement),) = cells(f"calls_{tool}", ["an error"]).values()
            columns[tool] = {}
            for n in OTHERS:
                loads = "".join(f"import other{i}\n" for i in range(n))
                asked = {f"{n} other module{'s' * (n != 1)}": (loads + setup, statement)}
                columns[tool] |= costs(asked, folder, rounds=setting.rounds, path=[others])
            asked = {TORCH: (f"import torch\n{setup}", statement)}
            loaded = setting.load(
                TORCH, lambda asked=asked, at=folder: costs(asked, at, rounds=3, counted=False)
            )
            columns[tool] |= loaded.get(TORCH, {})
    return columns


def show(found: Result, backends: list[str]) -> str:
    """Say how much other modules add."""
    most = f"{max(OTHERS)} other modules"
    said = "; ".join(
        f"{tool} {column['0 other modules'][0]:.0f} ns alone, {column[most][0]:.0f} ns beside "
        f"{most} that register an exception"
        + (f", {column[TORCH][0]:.0f} ns beside torch" if TORCH in column else "")
        for tool, column in found.items()
    )
    return shown(f"An error raised and caught takes: {said}.", found)
