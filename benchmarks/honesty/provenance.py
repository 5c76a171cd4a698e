"""Everything that is known of a binding that this process has opened, or tried to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.honesty import package
from benchmarks.honesty.elf import made
from benchmarks.honesty.interpreter import gil, interpreter
from benchmarks.honesty.sources import sha256


def provenance(backend: str, gil_before: bool) -> dict[str, Any]:
    """Return the facts that `refusals` judges and the results store."""
    return {
        "interpreter": interpreter(),
        "gil": {"before": gil_before, "after": gil()},
        "versions": package.versions("numpy", "cffi", "torch"),
        "distributions": package.versions(*package.DISTRIBUTIONS),
        "package": {
            "loaded": str(package.HERE),
            "installed": str(package.installed(backend) or ""),
            "tree": str(package.TREE),
        },
        "files": [described(path) for path in package.compiled(backend)],
        "sources_kept": package.kept_sources(backend) is not None,
        "outdated": sorted(package.outdated(backend)),
        "altered": sorted(package.altered(backend)),
        "strays": sorted(package.strays(backend)),
        "namesakes": sorted(package.namesakes(backend)),
    }


def described(path: Path) -> dict[str, Any]:
    """Describe a compiled file, and how it was made if its format records that."""
    file = {"path": str(path), "sha256": sha256(path)}
    how = made(path)
    return file if how is None else {**file, **how._asdict()}
