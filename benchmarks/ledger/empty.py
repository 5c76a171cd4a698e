"""The build of empty_functions.c, the baseline of a call. Every process imports it."""

from __future__ import annotations

import sys
import sysconfig
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.core.native import shared

SOURCE = Path(__file__).with_name("empty_functions.c")


def build(folder: Path) -> None:
    """Build the module into a folder and put the folder on the path.

    Raises:
        ImportError: there is no C compiler, or Python's headers are missing.
    """
    shared(SOURCE, folder, "-O2", f"-I{sysconfig.get_path('include')}")
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def instance() -> Any:
    """Return an object whose methods and attribute are empty."""
    return import_module(SOURCE.stem).Empty()
