"""The benchmark's own C code, compiled when it is needed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def compiler() -> str:
    """Return a C compiler; raise ImportError if there is none."""
    found = shutil.which(os.environ.get("CC", "cc")) or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        raise ImportError("no C compiler")
    return found


def shared(source: Path, folder: Path, *flags: str) -> Path:
    """Compile a C file into a shared library in a folder, once, and return its path.

    Raises:
        ImportError: there is no C compiler, or it refuses the file, for a header that is missing.
    """
    path = folder / f"{source.stem}.so"
    if not path.exists():
        command = [compiler(), "-shared", "-fPIC", str(source), *(flags or ("-O2",))]
        done = subprocess.run([*command, "-o", str(path)], capture_output=True, text=True)
        if done.returncode:
            raise ImportError(f"{source.name} could not be built: {done.stderr.strip()}")
    return path
