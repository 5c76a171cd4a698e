"""The build of empty_functions.c, the baseline of a call. Every process loads it by its path.

An installed module of the same name is therefore not loaded instead.
"""

from __future__ import annotations

import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

from benchmarks.core.native import shared

SOURCE = Path(__file__).with_name("empty_functions.c")


def build(folder: Path) -> None:
    """Build the module into a folder.

    Raises:
        ImportError: there is no C compiler, or Python's headers are missing.
    """
    shared(SOURCE, folder, "-O2", f"-I{sysconfig.get_path('include')}")


def load(folder: Path) -> None:
    """Load the module that was built into a folder."""
    name = SOURCE.stem
    loader = ExtensionFileLoader(name, str(folder / f"{name}.so"))
    spec = spec_from_loader(name, loader)
    assert spec is not None
    sys.modules[name] = module_from_spec(spec)
    loader.exec_module(sys.modules[name])


def instance() -> Any:
    """Return an object whose methods and attribute are empty, of the module that was loaded."""
    return sys.modules[SOURCE.stem].Empty()
