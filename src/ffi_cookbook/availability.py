"""The reason why a binding cannot be imported here, and the command that fixes it."""

from __future__ import annotations

import shlex
from pathlib import Path

from ffi_cookbook.bindings._glue.subinterpreters import SUBINTERPRETER, in_subinterpreter

DISTRIBUTION = "ffi-cookbook"
COMPILED = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind")
NAMES = ("python", "numpy", *COMPILED, "pyo3", "torch")
"""Every binding, in teaching order."""

_PACKAGE = Path(__file__).parent
_TORCH_TOOLS = "pip install torch scikit-build-core cmake ninja"
_OURS = ("ffi_cookbook", "ffi_cookbook_pyo3", "ffi_cookbook_torch")


def version() -> str:
    """Return the version of the installed package, or "0+unknown" if none is installed."""
    from importlib import metadata  # takes as long as importing the rest of the package

    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "0+unknown"


def sources() -> Path | None:
    """Return the folder of the sources if this package was imported from there, else None."""
    root = _PACKAGE.parents[1]
    return root if (root / "c_src").is_dir() else None


def explain(name: str, error: ImportError) -> tuple[str, str]:
    """Return the reason why a binding failed to import, in one line, and what fixes it."""
    if in_subinterpreter():
        return SUBINTERPRETER
    missing, reason = _missing_package(error), " ".join(str(error).split())
    if missing == "torch" or (name == "torch" and not missing):
        return reason, f"{_TORCH_TOOLS} && {_separate('torch')}"
    if missing:
        return f"the package {missing} is not installed", f"pip install {missing}"
    if name == "pyo3":
        return reason, f"{_separate('pyo3')} (needs cargo, the Rust toolchain)"
    if root := sources():
        return reason, f"pip install --force-reinstall --no-deps -e {shlex.quote(str(root))}"
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


def _separate(name: str) -> str:
    """Return the command that installs a binding with a project of its own."""
    options = "--no-build-isolation " if name == "torch" else ""
    if root := sources():
        return f"pip install {options}{shlex.quote(str(root / 'bindings' / name))}"
    return f"pip install {options}./bindings/{name} in the folder of the sources of {DISTRIBUTION}"
