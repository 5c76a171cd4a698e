"""The files of our packages in this process, compared with the built and the installed files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.trust.clean_build import CODE, COMPILED, RECEIPT, files, sha256, sources
from benchmarks.trust.flags import PRAGMA, described
from benchmarks.trust.interpreter import digest, interpreter, mapped

DISTRIBUTIONS = ("ffi-cookbook", "ffi-cookbook-pyo3", "ffi-cookbook-torch")
HERE = Path(os.path.realpath(str(ffi_cookbook.__file__))).parent
WHEELS = Path(os.environ.get("COOKBOOK_WHEELS") or ROOT / ".nox" / "wheels")
KERNELS = {"pyo3": "rust_src"}  # all other bindings: c_src
Receipt = dict[str, Any]


def provenance(backend: str) -> dict[str, Any]:
    """Return all facts about a binding that this process has opened, or tried to open.

    `refusals` judges the facts, and the results store them.
    """
    compiled = [path for path in loaded(backend) if path.suffix in COMPILED]
    receipts = {str(path): receipt(path, backend) for path in compiled}
    made = {id(one): one for one in receipts.values() if one is not None}.values()
    return {
        "interpreter": interpreter(),
        "versions": versions("numpy", "cffi", "torch"),
        "files": [{"path": str(path), "sha256": _hash(path)} for path in compiled],
        "unknown": [path for path, one in receipts.items() if one is None],
        "units": {name: flags for one in made for name, flags in units(backend, one).items()},
        "pragmas": sorted(pragmas(backend)) if compiled else [],
        "outdated": sorted({file for one in made for file in differing(backend, one)}),
        "altered": sorted(altered(backend)),
        "strays": sorted(strays(backend)),
    }


def versions(*names: str) -> dict[str, str]:
    """Return the versions of those distributions that are installed."""
    found = {}
    for name in names:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


@cache
def recorded(backend: str) -> dict[Path, metadata.PackagePath]:
    """Return the files of a binding, and the shared files, that our RECORDs list."""
    others = set(ffi_cookbook.names()) - {backend, "python"}  # which records uses too

    def concerned(file: metadata.PackagePath) -> bool:
        if file.parts[0] == "ffi_cookbook":
            return others.isdisjoint(file.parts)
        return file.parts[0] == f"ffi_cookbook_{backend}"

    names = versions(*DISTRIBUTIONS)
    files = [file for name in names for file in metadata.files(name) or () if concerned(file)]
    return {Path(os.path.realpath(str(file.locate()))): file for file in files}


def altered(backend: str) -> list[str]:
    """Return the files that differ from what was installed."""
    return [
        str(path)
        for path, file in recorded(backend).items()
        if file.hash and not (path.exists() and digest(path, file.hash.mode) == file.hash.value)
    ]


def own(backend: str) -> Path | None:
    """Return the folder of a binding that is a distribution of its own."""
    module = sys.modules.get(f"ffi_cookbook_{backend}")
    return module and Path(os.path.realpath(str(module.__file__))).parent


def loaded(backend: str) -> list[Path]:
    """Return our files in use: modules, and libraries that are not modules."""
    folders = {HERE, own(backend)}
    libraries = {path for path in mapped() if path.suffix in COMPILED}
    modules = {
        Path(os.path.realpath(getattr(module, "__file__", None) or "/"))
        for module in list(sys.modules.values())
    }
    return sorted(path for path in libraries | modules if folders.intersection(path.parents))


def strays(backend: str) -> Iterator[str]:
    """Yield the files in use that are not installed."""
    for path in loaded(backend):
        if path not in recorded(backend):
            yield str(path)


@cache
def _receipts() -> list[Receipt]:
    """Return the receipts of all builds, the newest first."""
    paths = sorted(WHEELS.glob(f"*/{RECEIPT}"), key=lambda path: -path.stat().st_mtime)
    return [json.loads(path.read_text("utf-8")) for path in paths]


def receipt(path: Path, backend: str) -> Receipt | None:
    """Return the receipt of the build that made a compiled file, found by its content.

    Sources that differ in a comment make the same file: of several builds it is that of the tree,
    and of those the newest.
    """
    digest = _hash(path)
    found = [one for one in _receipts() if digest in one["files"].values()]
    same = (one for one in found if not differing(backend, one))
    return next(same, found[0] if found else None)


def differing(backend: str, one: Receipt) -> set[str]:
    """Return the sources of a binding's compiled files that are not what a build was made from."""
    folders = (KERNELS.get(backend, "c_src"), f"bindings/{backend}")
    inside = tuple(f"{folder}/" for folder in folders)
    then = {name: digest for name, digest in one["sources"].items() if name.startswith(inside)}
    now = _sources(folders)
    return {name for name in then | now if then.get(name) != now.get(name)}


@cache
def _sources(folders: tuple[str, ...]) -> dict[str, str]:
    return sources(folders)


def units(backend: str, one: Receipt) -> dict[str, list[str]]:
    """Return the compilers and flags of a binding's units; one unit stands for all equal ones."""
    found: dict[str, list[str]] = {}
    for unit in one["units"]:
        others = {name for name in ffi_cookbook.names() if f"bindings/{name}/" in unit["file"]}
        if not others - {backend}:
            flags = described(unit, backend)
            if flags not in found.values():
                found[unit["file"]] = flags
    return found


def _hash(path: Path) -> str:
    return sha256(path.read_bytes())


def pragmas(backend: str) -> Iterator[str]:
    """Yield the pages that change their own flags."""
    for path in files([f"bindings/{backend}"]):
        if path.suffix in CODE and PRAGMA.search(path.read_text("utf-8")):
            yield path.relative_to(ROOT).as_posix()
