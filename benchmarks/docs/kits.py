"""The files around the code of a pattern, for each technology, which a reader copies.

docs/patterns/<technology>.md shows these files. Most are cut from the repository's files, so that
they hold only the definitions that the patterns use. In a project of the reader's own the package
has another name, which `renamed` writes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.docs.definitions import Definition, definitions

BINDINGS = ROOT / "bindings"
PACKAGE = "patterns"


class Kit(NamedTuple):
    """The files of a technology that are cut from the repository."""

    files: Mapping[str, tuple[str, ...]]
    """By path in the reader's project, the files under bindings/ that it is cut from."""
    modules: Mapping[str, str] = MappingProxyType({})
    """For names that no file of the repository defines: the module that has them."""
    place: str = ""
    """Where the reader puts what registers a function."""


class Source(NamedTuple):
    """The code of a pattern in one file of the repository."""

    path: Path
    text: str
    """The function, what it uses, and the imports."""
    registration: str = ""
    state: str = ""
    """C: what fills the state of the module that the function reads."""
    needs: Mapping[str, list[str]] = MappingProxyType({})
    """By file of the kit, the names that are used from it."""


_PYTHON = ("protocol/arrays.py", "_glue/arrays.py")
_CHECKS = f"src/{PACKAGE}/checks.py"
_MEMORY = f"src/{PACKAGE}/memory.py"


def _files(backend: str, *names: str) -> dict[str, tuple[str, ...]]:
    """Return files that have the same name in the reader's project."""
    return {f"src/{Path(name).name}": (f"{backend}/{name}",) for name in names}


_KITS = {
    "python": Kit({}),
    "capi": Kit(
        _files(
            "capi",
            "method.h",
            "arguments.h",
            "raised.h",
            "patterns/state.h",
            "patterns/numbers.h",
            "patterns/floats.h",
            "patterns/lock.h",
            "patterns/types.h",
        ),
        place="In the table `methods`",
    ),
    "ctypes": Kit(
        {
            f"src/{PACKAGE}/library.py": ("ctypes/library.py",),
            _CHECKS: _PYTHON,
            _MEMORY: ("ctypes/patterns/memory.py",),
        }
    ),
    "cffi": Kit(
        {_CHECKS: _PYTHON, _MEMORY: ("cffi/patterns/memory.py",)},
        {"ffi": f"{PACKAGE}._native", "lib": f"{PACKAGE}._native"},
    ),
    "cython": Kit(
        {
            "src/floats.pxd": ("cython/patterns/floats.pxd",),
            "src/dlpack.pxd": ("cython/patterns/dlpack.pxd",),
            "src/cookbook.pxd": ("cython/patterns/cookbook.pxd",),
        }
    ),
    "pybind11": Kit(
        _files(
            "pybind11",
            "integers.hpp",
            "numbers.hpp",
            "bytes.hpp",
            "instances.hpp",
            "patterns/text.hpp",
            "patterns/arrays.hpp",
        ),
        place="In `PYBIND11_MODULE`",
    ),
    "nanobind": Kit(
        _files(
            "nanobind",
            "classes.hpp",
            "numbers.hpp",
            "bytes.hpp",
            "ndarrays.hpp",
            "patterns/text.hpp",
            "patterns/arrays.hpp",
        ),
        place="In `NB_MODULE`",
    ),
    "pyo3": Kit(
        _files(
            "pyo3",
            "patterns/kernels.rs",
            "patterns/items.rs",
            "patterns/vectors.rs",
            "buffers.rs",
            "empty.rs",
        )
    ),
    "torch": Kit(
        {
            _CHECKS: _PYTHON,
            _MEMORY: ("torch/library.py",),
            f"src/{PACKAGE}/vectors.py": ("torch/patterns/vectors.py",),
            "src/patterns.hpp": ("torch/common.hpp",),
        },
        {"ops": f"{PACKAGE}.library", "LIBRARY": f"{PACKAGE}.library"},
    ),
}
KITS = {name: _KITS.get(name, Kit({})) for name in ffi_cookbook.names() if name != "numpy"}
_RENAMED = (
    (r"\bffi_cookbook\.bindings\.errors\b", f"{PACKAGE}.errors"),
    (r"\bffi_cookbook\.bindings\.capi\.patterns\b|\bffi_cookbook_pyo3\.patterns\b", PACKAGE),
    (r"\bffi_cookbook(?=::|,)", PACKAGE),
    (r"\btorch\.ops\.ffi_cookbook\b", f"torch.ops.{PACKAGE}"),
    (r"\bffi_cookbook_idiomatic::", f"{PACKAGE}_idiomatic::"),
    (r"from ffi_cookbook\.bindings\.cython\.patterns\.(\w+) cimport", r"from \1 cimport"),
    (r"\n  operator ck_bytes\(\)[^\n]*", ""),  # for the records, which the C library here lacks
    (r'#include "\.\./', '#include "'),
)


def renamed(text: str) -> str:
    """Return a source file in the form that it has in the reader's project."""
    for pattern, name in _RENAMED:
        text = re.sub(pattern, name, text)
    return text


@cache
def parts(path: Path) -> list[Definition]:
    """Return the definitions of a file."""
    return definitions(path.read_text("utf-8"), path.suffix)


@cache
def kit(backend: str, file: str) -> tuple[Definition, ...]:
    """Return the definitions of a file of the kit."""
    return tuple(
        one
        for name in KITS[backend].files[file]
        for one in parts((BINDINGS / name).resolve())
        if "scalars" not in one.names and "ck_error" not in one.used
    )


@cache
def linked(backend: str, file: str) -> tuple[str, ...]:
    """Return a file of the kit, and those that it includes or imports, directly or not."""
    found = [file]
    for one in found:
        code = "\n".join((BINDINGS / name).read_text("utf-8") for name in KITS[backend].files[one])
        for other, origins in KITS[backend].files.items():
            if other not in found and any(_names(code, origin) for origin in origins):
                found.append(other)
    return tuple(found)


def _names(code: str, origin: str) -> bool:
    """Return True if code includes or imports a file."""
    path = Path(origin)
    module = "\\.".join(("ffi_cookbook", "bindings", *path.with_suffix("").parts))
    module = module.replace("\\.arrays", "(\\.arrays)?") if "protocol" in origin else module
    pattern = {
        ".py": f"^from {module} import",
        ".rs": rf"^use (?:crate|super)::{path.stem}\b",
    }.get(path.suffix, rf'^#include "(?:\.\./)?{path.name}"')
    return re.search(pattern, code, re.MULTILINE) is not None
