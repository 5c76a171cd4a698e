"""Which binding works: the one that was named, or the fastest that opens here."""

from __future__ import annotations

from functools import cache

import bindings
from bindings.protocol import Backend

_FASTEST_FIRST = ("capi", "cffi", "nanobind", "pybind11", "ctypes", "pyo3", "cython")


def open_backend(backend: str | Backend | None) -> Backend:
    """The backend itself, the one of that name, or for None the best one available."""
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
