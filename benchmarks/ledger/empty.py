"""The build of empty_functions.c, the baseline of a call. Every process loads it by its path.

An installed module of the same name is therefore not loaded instead.
"""

from __future__ import annotations

import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
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
    spec = spec_from_file_location(SOURCE.stem, folder / f"{SOURCE.stem}.so")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[SOURCE.stem] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[SOURCE.stem])


def instance() -> Any:
    """Return an object whose methods and attribute are empty, of the module that was loaded."""
    return sys.modules[SOURCE.stem].Empty()
