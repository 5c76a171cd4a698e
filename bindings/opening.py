"""The choice of a binding: the one that is named, or the fastest that opens here."""

from __future__ import annotations

from functools import cache

import bindings
from bindings.protocol import Backend

_FASTEST_FIRST = ("capi", "cffi", "nanobind", "pybind11", "ctypes", "pyo3", "cython")


def open_backend(backend: str | Backend | None) -> Backend:
    """Return the given backend, the backend of that name, or for None the fastest that opens here.

    If no native backend opens, that is the one in Python.
    """
    if backend is None:
        return _best()
    return bindings.load(backend) if isinstance(backend, str) else backend


@cache
def _best() -> Backend:
    for name in _FASTEST_FIRST:
        try:
            return bindings.load(name)
        except bindings.BackendUnavailable:
            continue
    return bindings.load("python")
