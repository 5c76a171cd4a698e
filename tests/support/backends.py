"""Load the bindings for tests: the parts of each, and a list of what could not be tested."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NoReturn, cast

import pytest

import ffi_cookbook

NATIVE = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
REFERENCES = ("python", "numpy")
"""The bindings written in Python, each an implementation of its own."""
KERNELS = ("capi", "pyo3")
"""One binding for each compiled implementation of the kernels: in C and in Rust."""

WITHOUT_GIL = not getattr(sys, "_is_gil_enabled", lambda: True)()
_WITH_ALL = tuple(name for name in NATIVE if name != "torch")
PARTS = {
    "matmul": ffi_cookbook.names(),
    "index_records": (*REFERENCES, *_WITH_ALL),
    "decode_fixed": (*REFERENCES, *_WITH_ALL),
    "decode_examples": ("python", *_WITH_ALL),
    "gather_examples": ("python", *_WITH_ALL),
    "Tokenizer": ("python", *_WITH_ALL),
    "patterns": ("python", *NATIVE),
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
        return cast("ModuleType", ffi_cookbook.load(name))
    except ffi_cookbook.BackendUnavailable as unavailable:
        missing(f"the {name} binding ({unavailable.reason})")


def open_backends(part: str) -> Iterator[tuple[str, ModuleType]]:
    """Yield every available binding that has the part, for tests that compare all of them."""
    for name in PARTS[part]:
        try:
            yield name, binding(name)
        except pytest.skip.Exception:  # the summary says that it was unavailable
            continue
