"""Measure what an argument of a ctypes function costs, with and without `argtypes`."""

from __future__ import annotations

from typing import Any

from benchmarks.core import native
from studies.experts.common import Result, shown
from studies.statements import costs
from studies.study import Setting

MOST = 6
WAYS = {
    "nothing set": "",
    "`argtypes` of c_long": "f.argtypes = [ctypes.c_long] * {n}",
    "`argtypes` of c_double": "f.argtypes = [ctypes.c_double] * {n}",
}


def measure(setting: Setting) -> Any:
    """Return the costs of calls of C functions with 0 to 6 arguments, which do nothing."""
    source = setting.folder / "arguments.c"
    kinds = {"long": range(MOST + 1), "double": range(MOST + 1)}
    source.write_text(
        "\n".join(
            f"void {kind}{n}({', '.join([kind] * n) or 'void'}) {{}}"
            for kind, numbers in kinds.items()
            for n in numbers
        )
    )
    library = native.shared(source, setting.folder)
    columns = {}
    for way, declared in WAYS.items():
        kind, value = ("double", "2.5") if "double" in way else ("long", "3000")
        asked = {
            f"{n}": (
                f"import ctypes\nf = ctypes.CDLL({str(library)!r}).{kind}{n}\nf.restype = None\n"
                + declared.format(n=n),
                f"f({', '.join([value] * n)})",
            )
            for n in (0, 1, 2, MOST)
        }
        columns[way] = costs(asked, setting.folder, rounds=setting.rounds)
    return columns


def show(found: Result, backends: list[str]) -> str:
    """Say what one more argument costs in each way."""
    said = ", ".join(
        f"{(column[str(MOST)][1] or 0) / MOST - (column['0'][1] or 0) / MOST:,.0f} instructions "
        f"({(column[str(MOST)][0] - column['0'][0]) / MOST:.0f} ns) with {way}"
        for way, column in found.items()
    )
    return shown(f"Each argument of a ctypes function costs {said}.", found)
