"""The bindings by name: which there are, and which open here."""

from __future__ import annotations

import importlib
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, cast

from ffi_cookbook import availability

if TYPE_CHECKING:
    from ffi_cookbook.bindings.protocol import Backend

_FASTEST_FIRST = ("capi", "cffi", "nanobind", "pybind11", "ctypes", "pyo3", "cython")


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
        import difflib

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


def open_backend(backend: str | Backend | None) -> Backend:
    """Return the given backend, the backend of that name, or for None the fastest that opens here.

    If no native backend opens, that is the one in Python.
    """
    if backend is None:
        return _best()
    return load(backend) if isinstance(backend, str) else backend


@cache
def _best() -> Backend:
    for name in _FASTEST_FIRST:
        with suppress(BackendUnavailable):
            return load(name)
    return load("python")
