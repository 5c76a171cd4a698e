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

import importlib
import os
import warnings
from typing import TYPE_CHECKING, Any

from ffi_cookbook import availability
from ffi_cookbook.backends import BackendUnavailable, available, load, names

if TYPE_CHECKING:
    from ffi_cookbook import data, records, tokenizer

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


def __getattr__(name: str) -> Any:
    """Return `__version__`, `check_op`, or one of the packages `data`, `records`, `tokenizer`."""
    if name == "__version__":
        return availability.version()
    if name in ("data", "records", "tokenizer"):  # imported when they are first used
        return importlib.import_module(f"{__name__}.{name}")
    if name == "check_op":  # imports torch
        return importlib.import_module(f"{__name__}.operators").check_op
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
