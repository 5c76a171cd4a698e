"""A script that imports a binding, after NumPy, the bindings' shared code and its technology.

It sends the time of the import and the files that it loaded. NumPy is prevented from importing
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
    """Import the technology and then the binding of a job; send the seconds and new files of it."""
    sys.modules["ctypes"] = None  # type: ignore[assignment]
    for shared in SHARED:
        import_module(shared)
    del sys.modules["ctypes"]
    technology, binding = json.loads(arguments[0])
    import_module(technology)
    before = files()
    start = time.perf_counter()
    import_module(binding)
    seconds = time.perf_counter() - start
    send([{"seconds": seconds, "files": sorted(files() - before)}])
