"""Builds empty.c, the functions that a call is measured against. Every process imports them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from importlib import import_module
from pathlib import Path
from typing import Any

MODULE = "empty_functions"


def build(folder: Path) -> None:
    """Build the module into a folder and put the folder on the path.

    Raises:
        ImportError: there is no C compiler, or Python's headers are missing.
    """
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise ImportError("the benchmark needs a C compiler to build empty.c with")
    source, target = Path(__file__).with_suffix(".c"), folder / f"{MODULE}.so"
    if str(folder) in sys.path and target.exists():
        return
    flags = ("-O2", "-shared", "-fPIC", f"-I{sysconfig.get_path('include')}")
    done = subprocess.run(
        [compiler, *flags, str(source), "-o", str(target)], capture_output=True, text=True
    )
    if done.returncode:
        raise ImportError(f"empty.c could not be built: {done.stderr.strip()}")
    sys.path.append(str(folder))


def instance() -> Any:
    """Return an object whose methods and attribute are empty."""
    return import_module(MODULE).Empty()
