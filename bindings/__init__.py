"""Three kernels, ten doors: the same native code reached through every binding technology.

>>> import bindings
>>> bindings.names()
('python', 'numpy', 'capi', 'ctypes', 'cffi', 'cython', 'pybind11', 'nanobind', 'pyo3', 'torch')
>>> backend = bindings.load("python")
>>> backend.probes.add_int(3, 4)
7

`load` returns the door's own module (see `bindings.protocol.Backend`); nothing stands between the
caller and the native function. A door is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
import os
import warnings
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from bindings.protocol import Backend

__all__ = ["BackendUnavailable", "available", "load", "names"]

# In teaching order, each with what makes it available.
_REMEDIES = {
    "python": "reinstall ffi-cookbook",
    "numpy": "pip install numpy",
    "capi": "pip install . (needs a C and a C++ compiler)",
    "ctypes": "pip install . (needs a C and a C++ compiler)",
    "cffi": "pip install . (needs a C and a C++ compiler)",
    "cython": "pip install . (needs a C and a C++ compiler)",
    "pybind11": "pip install . (needs a C and a C++ compiler)",
    "nanobind": "pip install . (needs a C and a C++ compiler)",
    "pyo3": "pip install ./bindings/pyo3 (needs cargo, the Rust toolchain)",
    "torch": "pip install torch scikit-build-core cmake ninja && "
    "pip install --no-build-isolation ./bindings/torch",
}


_PINNED = os.environ.get("COOKBOOK_ISA")
if _PINNED not in (None, "", "portable", "avx2", "avx512"):
    warnings.warn(
        f"COOKBOOK_ISA={_PINNED} pins nothing: choose from portable, avx2, avx512",
        RuntimeWarning,
        stacklevel=2,
    )


class BackendUnavailable(ImportError):
    """A door that cannot be opened here.

    Attributes:
        backend: its name.
        reason: why, in one line.
        remedy: what to type.
    """

    def __init__(self, backend: str, reason: str, remedy: str) -> None:
        super().__init__(f"{backend}: {reason}; to mend it: {remedy}")
        self.backend = backend
        self.reason = reason
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[BackendUnavailable], tuple[str, str, str]]:
        return type(self), (self.backend, self.reason, self.remedy)


def names() -> tuple[str, ...]:
    """Every door this version knows, in teaching order."""
    return tuple(_REMEDIES)


def load(name: str) -> Backend:
    """The module behind a door.

    Raises:
        ValueError: no door has this name.
        BackendUnavailable: the door is not built, or what it needs is not installed.
    """
    if name not in _REMEDIES:
        raise ValueError(f"no backend {name!r}: choose from {', '.join(_REMEDIES)}")
    try:
        return cast("Backend", importlib.import_module(f"bindings.{name}"))
    except ImportError as error:
        raise BackendUnavailable(name, str(error), _REMEDIES[name]) from error


def available() -> dict[str, Backend | BackendUnavailable]:
    """Every door by name: its module, or the exception that says why it is shut."""

    def attempt(name: str) -> Backend | BackendUnavailable:
        try:
            return load(name)
        except BackendUnavailable as unavailable:
            return unavailable

    return {name: attempt(name) for name in names()}
