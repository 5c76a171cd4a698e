"""Three kernels, ten bindings: the same native code reached through every binding technology.

>>> import ffi_cookbook
>>> ffi_cookbook.names()
('python', 'numpy', 'capi', 'ctypes', 'cffi', 'cython', 'pybind11', 'nanobind', 'pyo3', 'torch')
>>> backend = ffi_cookbook.load("python")
>>> backend.patterns.add_int(3, 4)
7

`load` returns the binding's own module (see `ffi_cookbook.bindings.protocol.Backend`); nothing
stands between the caller and the native function. A binding is imported when it is first loaded.
"""

from __future__ import annotations

import difflib
import importlib
import os
import warnings
from typing import TYPE_CHECKING, Any, cast

from ffi_cookbook import availability

if TYPE_CHECKING:
    from ffi_cookbook import data, records, tokenizer
    from ffi_cookbook.bindings.protocol import Backend

    __version__: str

__all__ = [
    "BackendUnavailable",
    "__version__",
    "available",
    "data",
    "load",
    "names",
    "records",
    "tokenizer",
]


_PINNED = os.environ.get("COOKBOOK_ISA")
if _PINNED not in (None, "", "portable", "avx2", "avx512"):
    warnings.warn(
        f"COOKBOOK_ISA={_PINNED} names no instruction set: choose from portable, avx2, avx512",
        RuntimeWarning,
        stacklevel=2,
    )


class BackendUnavailable(ImportError):
    """A binding that cannot be opened here.

    Attributes:
        backend: the name of the binding.
        reason: the reason, in one line.
        remedy: the command that fixes it.
    """

    def __init__(self, backend: str, reason: str, remedy: str) -> None:
        super().__init__(f"{backend}: {reason}; to fix it: {remedy}")
        self.backend = backend
        self.reason = reason
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[BackendUnavailable], tuple[str, str, str]]:
        return type(self), (self.backend, self.reason, self.remedy)


def names() -> tuple[str, ...]:
    """Return the names of all bindings, in teaching order."""
    return availability.NAMES


def load(name: str) -> Backend:
    """Return the module behind a binding.

    Raises:
        ValueError: no binding has this name.
        BackendUnavailable: the binding is not built, or what it needs is not installed.
    """
    if name not in availability.NAMES:
        near = difflib.get_close_matches(str(name), availability.NAMES, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ValueError(f"no backend {name!r}: {hint}choose from {', '.join(availability.NAMES)}")
    try:
        importlib.import_module("ffi_cookbook.bindings._glue.main_interpreter")
        return cast("Backend", importlib.import_module(f"ffi_cookbook.bindings.{name}"))
    except ImportError as error:
        raise BackendUnavailable(name, *availability.explain(name, error)) from error


def available() -> dict[str, Backend | BackendUnavailable]:
    """Return each binding's module by name, or the exception that says why it is unavailable."""

    def attempt(name: str) -> Backend | BackendUnavailable:
        try:
            return load(name)
        except BackendUnavailable as unavailable:
            return unavailable

    return {name: attempt(name) for name in names()}


def __getattr__(name: str) -> Any:
    """Return `__version__`, or one of the packages `data`, `records` and `tokenizer`."""
    if name == "__version__":
        return availability.version()
    if name in ("data", "records", "tokenizer"):  # imported when they are first used
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
