"""Measure what Cython's default, `binding=True`, costs."""

from __future__ import annotations

from typing import Any

from studies.experts.common import Result, calls, shown, times
from studies.extensions import Options
from studies.study import Setting

TRUE, FALSE = "binding=True", "binding=False"


def measure(setting: Setting) -> Any:
    """Return the calls with both values of the directive."""
    columns: dict[str, Any] = {}
    for name in (TRUE, FALSE):
        columns |= calls(setting, "cython", name, Options(directives=(name,)))
    return columns or None


def show(found: Result, backends: list[str]) -> str:
    """Say how much more the default takes."""
    return shown(
        f"A function with `{TRUE}`, the default since Cython 3, takes on average "
        f"{times(found, TRUE, FALSE):.2f} × as long as one without; it has a signature, "
        "annotations and defaults that Python can read, and can be a method.",
        found,
    )
