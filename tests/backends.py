"""The bindings as the tests see them: which part each has, and what was not there to be tested."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NoReturn, cast

import pytest

import bindings

NATIVE = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
KERNELS = ("capi", "cython", "pyo3")
"""One binding for each implementation of the kernels: in C, Cython and Rust."""

PARTS = {
    "matmul": bindings.names(),
    "index_records": bindings.names(),
    "decode_fixed": bindings.names(),
    "crc32c": bindings.names(),
    "decode_examples": ("python", *NATIVE),
    "Tokenizer": ("python", *NATIVE),
    "patterns": ("python", *NATIVE),
    "interruption": tuple(name for name in NATIVE if name != "torch"),  # of a tokenizer's calls
}
REFUSALS = (TypeError, OverflowError, ValueError)
absent: set[str] = set()


def missing(thing: str) -> NoReturn:
    """Skips what cannot be tested without a thing, or fails it where everything is required; the
    summary says what was absent."""
    if os.environ.get("COOKBOOK_REQUIRE_ALL"):
        pytest.fail(f"required here: {thing}")
    absent.add(thing)
    pytest.skip(f"absent: {thing}", allow_module_level=True)


def needs(module: str) -> Any:
    """A module that not everybody has."""
    try:
        return importlib.import_module(module)
    except ImportError:
        missing(f"the package {module}")


def binding(name: str) -> ModuleType:
    """The module of a binding."""
    try:
        return cast("ModuleType", bindings.load(name))
    except bindings.BackendUnavailable as unavailable:
        missing(f"the {name} binding ({unavailable.reason})")


def open_backends(part: str) -> Iterator[tuple[str, ModuleType]]:
    """Every binding that has a part, for tests that hold the same value up to all of them."""
    for name in PARTS[part]:
        try:
            yield name, binding(name)
        except pytest.skip.Exception:  # the summary says that it was unavailable
            continue
