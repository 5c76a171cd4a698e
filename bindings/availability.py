"""The reason why a binding cannot be imported here, and the command that fixes it.

The folder of the sources holds this package too, without its compiled modules. Python looks in the
current folder first, so there the sources hide an installed package.
"""

from __future__ import annotations

import os
import shlex
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

DISTRIBUTION = "ffi-cookbook"
COMPILED = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind")
NAMES = ("python", "numpy", *COMPILED, "pyo3", "torch")
"""Every binding, in teaching order."""

_PACKAGE = Path(__file__).parent
_TORCH_TOOLS = "pip install torch scikit-build-core cmake ninja"
SUBINTERPRETER = (
    "the bindings need NumPy, which supports the main interpreter only",
    "load it in the main interpreter, or in a process of its own",
)
_OURS = ("bindings", "ffi_cookbook_pyo3", "ffi_cookbook_torch")


def in_subinterpreter() -> bool:
    """Return True if another interpreter than the main one runs here."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        interpreters = import_module(name)
    except ImportError:  # a Python without subinterpreters
        return False
    return bool(interpreters.get_current() != interpreters.get_main())


def version() -> str:
    """Return the version of the installed package, or "0+unknown" if none is installed."""
    from importlib import metadata  # takes as long as importing the rest of the package

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "0+unknown"


def sources() -> Path | None:
    """Return the folder of the sources if this package was imported from there, else None."""
    return _PACKAGE.parent if (_PACKAGE.parent / "c_src").is_dir() else None


def installed() -> Path | None:
    """Return the folder of the package that is installed for this Python, or None."""
    from importlib import metadata

    try:
        files = metadata.files(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return None
    module = next((file for file in files if str(file) == "bindings/__init__.py"), None)
    return Path(str(module.locate())).parent if module else None


def hidden() -> Path | None:
    """Return the folder of the installed package if the sources hide it, else None."""
    there = installed()
    return there if sources() and there and there.resolve() != _PACKAGE.resolve() else None


def explain(name: str, error: ImportError) -> tuple[str, str]:
    """Return the reason why a binding failed to import, in one line, and what fixes it."""
    if in_subinterpreter():
        return SUBINTERPRETER
    missing, reason = _missing_package(error), " ".join(str(error).split())
    if missing == "torch":
        return reason, f"{_TORCH_TOOLS} && {_separate('torch')}"
    if missing:
        return f"the package {missing} is not installed", f"pip install {missing}"
    if name in COMPILED and sources() and not _is_built(name):
        return _not_built()
    if name == "pyo3":
        return reason, f"{_separate('pyo3')} (needs cargo, the Rust toolchain)"
    if name == "torch":
        return reason, f"{_TORCH_TOOLS} && {_separate('torch')}"
    if root := sources():
        return reason, f"pip install --force-reinstall --no-deps -e {_quoted(root)}"
    again = "pip install --force-reinstall --no-deps ."
    return reason, f"{again} in the folder of the sources of {DISTRIBUTION}"


def _missing_package(error: BaseException | None) -> str | None:
    """Return the name of the foreign package whose absence is behind an error, or None."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError):
            name = (error.name or "").partition(".")[0]
            if name and name not in _OURS:
                return name
        error = error.__cause__ or error.__context__
    return None


def _is_built(name: str) -> bool:
    """Return True if a module of the binding was compiled for this Python."""
    return any(
        f".{file.partition('.')[2]}" in EXTENSION_SUFFIXES
        for folder in sys.modules[__package__].__path__  # an editable installation has two
        for _, _, files in os.walk(Path(folder, name))
        for file in files
    )


def _not_built() -> tuple[str, str]:
    """Return the reason and the remedy if Python imports the package from unbuilt sources."""
    here = f"Python imports bindings from the sources in {sources()}, where nothing is built"
    if there := hidden():
        return (
            f"{here}; this hides the installed package in {there.parent}",
            "run Python in another folder, or python -P in this one, or pip install -e . "
            "(makes the sources the installed package)",
        )
    return here, f"pip install -e {_quoted(sources())} (needs a C and a C++ compiler)"


def _separate(name: str) -> str:
    """Return the command that installs a binding with a project of its own."""
    options = "--no-build-isolation " if name == "torch" else ""
    if root := sources():
        return f"pip install {options}{_quoted(root / 'bindings' / name)}"
    return f"pip install {options}./bindings/{name} in the folder of the sources of {DISTRIBUTION}"


def _quoted(path: Path | None) -> str:
    """Return a path as a shell needs it."""
    return shlex.quote(str(path))
