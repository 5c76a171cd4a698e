"""What of our packages this process has loaded, and whether it is what was built and installed."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from importlib.machinery import all_suffixes
from pathlib import Path
from types import ModuleType

import bindings
from benchmarks.honesty.interpreter import mapped
from benchmarks.honesty.sources import ROOT, sha256, sources

DISTRIBUTIONS = ("ffi-cookbook", "ffi-cookbook-pyo3", "ffi-cookbook-torch")
HERE = Path(os.path.realpath(bindings.__file__)).parent
TREE = ROOT / "bindings"
COMPILED = (".so", ".dylib", ".pyd")


def versions(*names: str) -> dict[str, str]:
    """Of those distributions that are installed."""
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@cache
def recorded(backend: str) -> dict[Path, metadata.PackagePath]:
    """Return the files of a binding, and of what all share, that our RECORDs list."""

    def concerned(file: metadata.PackagePath) -> bool:
        if file.parts[0] == "bindings":
            return file.parts[1] == backend or file.parts[1] not in bindings.names()
        return file.parts[0] == f"ffi_cookbook_{backend}"

    names = versions(*DISTRIBUTIONS)
    files = [file for name in names for file in metadata.files(name) or () if concerned(file)]
    return {Path(os.path.realpath(str(file.locate()))): file for file in files}


def installed(backend: str) -> Path | None:
    """Return the folder that the package is installed in, or None."""
    inits = (
        path for path, file in recorded(backend).items() if str(file) == "bindings/__init__.py"
    )
    return next((path.parent for path in inits), None)


def altered(backend: str) -> list[str]:
    """Return the files that differ from what was installed."""
    return [
        str(path)
        for path, file in recorded(backend).items()
        if file.hash and not (path.exists() and _digest(path, file.hash.mode) == file.hash.value)
    ]


def _digest(path: Path, algorithm: str) -> str:
    digest = hashlib.new(algorithm, path.read_bytes()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def own(backend: str) -> Path | None:
    """Return the folder of a binding that is a distribution of its own."""
    module = sys.modules.get(f"ffi_cookbook_{backend}")
    return module and Path(os.path.realpath(str(module.__file__))).parent


def modules(backend: str) -> Iterator[tuple[ModuleType, Path]]:
    """Those of ours that were imported, and their files."""
    folders = {HERE, own(backend)}
    for module in list(sys.modules.values()):
        path = Path(os.path.realpath(getattr(module, "__file__", None) or "/"))
        if folders.intersection(path.parents):
            yield module, path


def loaded(backend: str) -> list[Path]:
    """Return our files in use: modules, and libraries that are not modules."""
    folders = {HERE, own(backend)}
    libraries = {path for path in mapped() if path.suffix in COMPILED}
    return sorted(
        {path for path in libraries if folders.intersection(path.parents)}
        | {path for _, path in modules(backend)}
    )


def compiled(backend: str) -> list[Path]:
    """Those of them that a compiler made."""
    return [path for path in loaded(backend) if path.suffix in COMPILED]


def strays(backend: str) -> Iterator[str]:
    """Return the files in use that are neither installed nor the tree's."""
    for path in loaded(backend):
        if path not in recorded(backend) and TREE not in path.parents:
            yield str(path)


def namesakes(backend: str) -> Iterator[tuple[str, str]]:
    """Return the files in use for which another file has the same import name."""
    for module, path in modules(backend):
        entry = path.parent if path.stem == "__init__" else path
        bare = entry.with_name(module.__name__.rpartition(".")[2])
        for suffix in all_suffixes():
            for other in (Path(f"{bare}{suffix}"), bare / f"__init__{suffix}"):
                if other != path and other.exists():
                    yield str(path), str(other)


def kept_sources(backend: str) -> dict[str, str] | None:
    """Return the sources that the build recorded, or None."""
    module = sys.modules.get(f"ffi_cookbook_{backend}")
    file = (own(backend) or HERE / backend) / "sources.json"
    if text := getattr(module, "SOURCES", None) or (file.exists() and file.read_text("utf-8")):
        found: dict[str, str] = json.loads(text)
        return found
    return None


def outdated(backend: str) -> Iterator[str]:
    """Return the files of the tree that differ from what was built, or whose Python is in use."""
    then, now = kept_sources(backend) or {}, sources(backend)
    if then:
        yield from (path for path in then | now if then.get(path) != now.get(path))
    for _, path in modules(backend):
        twin = _twin(path, backend)
        if path.suffix == ".py" and not (twin.exists() and sha256(twin) == sha256(path)):
            yield twin.relative_to(ROOT).as_posix()


def _twin(path: Path, backend: str) -> Path:
    """Return the file in the tree that one in use was copied from, or itself if a tool wrote it."""
    if HERE in path.parents:
        return TREE / path.relative_to(HERE)
    made_up = TREE / backend / f"ffi_cookbook_{backend}" / path.name
    return made_up if made_up.exists() else path
