"""The bytecode of the packages that exercises import.

An installer that leaves it out, such as uv, makes each import of NumPy or torch take several times
as long, and the processes that run learners' code write no files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata, util
from pathlib import Path

from ..process import BOX
from .parts import part

LATER = {
    "Cython": [
        f"Cython.Compiler.{name}" for name in ("Main", "Optimize", "ModuleNode", "FusedNode")
    ],
    "torch": ["torch._dynamo", "torch.fx.experimental.proxy_tensor"],
}
"""Modules that a package imports only when it is used."""


def bytecode(*modules: str) -> dict[str, str]:
    """Return the variables by which a process that imports the modules finds their bytecode."""
    packages = sorted({name.partition(".")[0] for name in modules})
    without = [name for name in packages if not _has_bytecode(name)]
    if not without:
        return {}
    made_of = [(name, metadata.version(name)) for name in without]
    folder = part("bytecode", made_of, lambda folder: _write(folder, without), most=8)
    return {"PYTHONPYCACHEPREFIX": str(folder)}


def _has_bytecode(name: str) -> bool:
    found = util.find_spec(name)
    return found is None or found.cached is None or os.path.exists(found.cached)


def _write(folder: Path, packages: list[str]) -> None:
    """Write the bytecode of the packages, and of all that our own part of a process imports."""
    modules = [*packages, *(module for name in packages for module in LATER.get(name, ()))]
    code = f"import sys; sys.path.insert(0, {str(BOX)!r}); import child, {', '.join(modules)}"
    variables = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, "-P", "-c", code], env=variables, check=True)
