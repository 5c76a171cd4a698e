"""A script that imports modules one after the other, after NumPy and the bindings' shared code.

It prints the time of each import and the files that it loaded. NumPy is prevented from importing
ctypes, so that the files of ctypes are counted.
"""

import json
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.core.process import send

SHARED = (
    "numpy",
    *(f"ffi_cookbook.bindings._glue.{name}" for name in ("records", "search", "text")),
)
MAPS = Path("/proc/self/maps")


def files() -> set[str]:
    """Return the known files of the modules, their compiled form, and the shared libraries."""
    found = set()
    for module in list(sys.modules.values()):
        found |= {getattr(module, "__file__", None), getattr(module, "__cached__", None)}
    if MAPS.exists():
        found |= {line.split(maxsplit=5)[-1] for line in MAPS.read_text().splitlines()}
    paths = (Path(path) for path in found if isinstance(path, str))
    return {str(path.resolve()) for path in paths if path.is_absolute() and path.is_file()}


def main(arguments: Sequence[str]) -> None:
    """Import the modules of a job, and print the answers."""
    sys.modules["ctypes"] = None  # type: ignore[assignment]
    for shared in SHARED:
        import_module(shared)
    del sys.modules["ctypes"]
    answers = []
    for module in json.loads(arguments[0]):
        before = files()
        start = time.perf_counter()
        import_module(module)
        seconds = time.perf_counter() - start
        answers.append({"seconds": seconds, "files": sorted(files() - before)})
    send([answers])
