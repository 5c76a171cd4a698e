"""The bytecode of the packages that exercises import.

An installer that leaves it out, such as uv, makes each import of NumPy or torch take several times
as long, and the processes that run learners' code write no files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from importlib import metadata, util
from pathlib import Path

from lessons.building.parts import part
from lessons.process import BOX

LATER = {"torch": ("torch._dynamo", "torch.fx.experimental.proxy_tensor")}
"""Modules that a package imports only when it is used."""


@cache
def bytecode(imports: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the variables by which a process with these imports finds their bytecode."""
    packages = sorted({name.partition(".")[0] for name in imports})
    without = [name for name in packages if not _has_bytecode(name)]
    if not without:
        return ()
    modules = [*imports, *(module for name in without for module in LATER.get(name, ()))]
    made_of = modules, [metadata.version(name) for name in without]
    folder = part("bytecode", made_of, lambda folder: _write(folder, modules))
    return (("PYTHONPYCACHEPREFIX", str(folder)),)


def _has_bytecode(name: str) -> bool:
    found = util.find_spec(name)
    return found is None or found.cached is None or os.path.exists(found.cached)


def _write(folder: Path, modules: list[str]) -> None:
    """Write the bytecode of the modules, and of all that such a process imports."""
    code = f"import sys; sys.path.insert(0, {str(BOX)!r}); import child, {', '.join(modules)}"
    variables = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, "-P", "-c", code], env=variables, check=True)
