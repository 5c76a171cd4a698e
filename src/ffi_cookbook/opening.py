"""The choice of a binding: the one that is named, or the fastest that opens here."""

from __future__ import annotations

from functools import cache

import ffi_cookbook
from ffi_cookbook.bindings.protocol import Backend

_FASTEST_FIRST = ("capi", "cffi", "nanobind", "pybind11", "ctypes", "pyo3", "cython")


def open_backend(backend: str | Backend | None, otherwise: str = "python") -> Backend:
    """Return the given backend, the backend of that name, or for None the fastest that opens here.

    If no native backend opens, that is the one called `otherwise`.
    """
    if backend is None:
        return _best(otherwise)
    return ffi_cookbook.load(backend) if isinstance(backend, str) else backend


@cache
def _best(otherwise: str) -> Backend:
    for name in _FASTEST_FIRST:
        try:
            return ffi_cookbook.load(name)
        except ffi_cookbook.BackendUnavailable:
            continue
    return ffi_cookbook.load(otherwise)
