"""Measure what the stable ABI costs a module, compared with a build for one version."""

from __future__ import annotations

import sys
from typing import Any

from studies.experts.common import Result, calls, ranked, shown, times
from studies.extensions import Options
from studies.study import Setting

TOOLS = ("capi", "cython", "nanobind", "pyo3")
ABI = " abi3"


def measure(setting: Setting) -> Any:
    """Return the calls of each tool, for one version and for all from 3.12 on."""
    if sys.version_info < (3, 12):
        return None
    columns: dict[str, Any] = {}
    for tool in TOOLS:
        for name, stable in ((tool, False), (tool + ABI, True)):
            columns |= calls(setting, tool, name, Options(stable=stable))
    return columns


def show(found: Result, backends: list[str]) -> str:
    """Say what it costs by tool."""
    both = [tool for tool in TOOLS if {tool, tool + ABI} <= found.keys()]
    cost = ranked(both, lambda tool: times(found, tool + ABI, tool))
    return shown(
        f"Built for the stable ABI of 3.12, the five calls take, on average: {cost}. "
        "pybind11 has no stable ABI.",
        found,
    )
