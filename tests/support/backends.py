"""Load the bindings for tests: the parts of each, and a list of what could not be tested."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NoReturn, cast

import pytest

import bindings

NATIVE = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
KERNELS = ("capi", "cython", "pyo3")
"""One binding for each implementation of the kernels: in C, Cython and Rust."""

WITHOUT_GIL = not getattr(sys, "_is_gil_enabled", lambda: True)()
PARTS = {
    "matmul": bindings.names(),
    "index_records": bindings.names(),
    "decode_fixed": bindings.names(),
    "decode_examples": ("python", *NATIVE),
    "Tokenizer": ("python", *NATIVE),
    "patterns": ("python", *NATIVE),
    "interruption": tuple(name for name in NATIVE if name != "torch"),  # of a tokenizer's calls
}
REFUSALS = (TypeError, OverflowError, ValueError)
absent: set[str] = set()


def missing(thing: str) -> NoReturn:
    """Skip the test because something is missing, or fail it where everything is required.

    The terminal summary lists what was missing.
    """
    if os.environ.get("COOKBOOK_REQUIRE_ALL"):
        pytest.fail(f"required here: {thing}")
    absent.add(thing)
    pytest.skip(f"absent: {thing}", allow_module_level=True)


def needs(module: str) -> Any:
    """Import an optional package, or skip the test."""
    try:
        return importlib.import_module(module)
    except ImportError:
        missing(f"the package {module}")


def binding(name: str) -> ModuleType:
    """Load the module of a binding, or skip the test."""
    try:
        return cast("ModuleType", bindings.load(name))
    except bindings.BackendUnavailable as unavailable:
        missing(f"the {name} binding ({unavailable.reason})")


def open_backends(part: str) -> Iterator[tuple[str, ModuleType]]:
    """Yield every available binding that has the part, for tests that compare all of them."""
    for name in PARTS[part]:
        try:
            yield name, binding(name)
        except pytest.skip.Exception:  # the summary says that it was unavailable
            continue
