"""A binding of your own, `--binding PATH`: a module with some of the protocol's functions.

It has them at its top level, or those of the patterns in `patterns`. Its answers pass the same
checks as those of the bindings here; how it was compiled is not judged.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import ffi_cookbook
from benchmarks.core.process import INHERITED
from benchmarks.ledger.rows import ALL

KERNELS = {"matmul", "index_records", "Tokenizer"}


def admit(path: str) -> str:
    """Return the name by which every process can import a module: a file, a folder or a name."""
    place = Path(path).resolve()
    folder = str(place.parent)
    sys.path.append(folder)
    others = filter(None, (INHERITED.get("PYTHONPATH"), folder))
    INHERITED["PYTHONPATH"] = os.pathsep.join(others)
    return place.name.split(".")[0] if place.exists() else path


def load(name: str) -> ModuleType:
    """Return a binding of ours, or an outside one."""
    if name in ffi_cookbook.names():
        return cast("ModuleType", ffi_cookbook.load(name))
    module = import_module(name)
    patterns = getattr(module, "patterns", module)
    known = {row.function for row in ALL.values()}
    if not known.intersection(dir(patterns)) and not KERNELS.intersection(dir(module)):
        raise ImportError(f"{name} has no function of the protocol")
    about = {"technology": str(module.__file__), "compiler": "", "kernel": "", "isa": ""}
    added = {"patterns": patterns, "about": lambda: about, "outside": True}
    return cast("ModuleType", SimpleNamespace(**{**vars(module), **added}))
