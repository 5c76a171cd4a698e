"""The doors as the tests see them: which part each has, and what was not there to be tested."""

from __future__ import annotations

import os
from types import ModuleType
from typing import cast

import pytest

import bindings

NATIVE = ("capi", "ctypes", "cffi", "cython", "pybind11", "nanobind", "pyo3", "torch")
PARTS = {
    "matmul": bindings.names(),
    "index_records": bindings.names(),
    "decode_fixed": bindings.names(),
    "decode_examples": ("python", *NATIVE),
    "Tokenizer": ("python", *NATIVE),
    "probes": ("python", *NATIVE),
}
absent: set[str] = set()


def door(name: str) -> ModuleType:
    """The module of a door; a shut one skips the test, or fails it where all are required."""
    try:
        return cast("ModuleType", bindings.load(name))
    except bindings.BackendUnavailable as unavailable:
        if os.environ.get("COOKBOOK_REQUIRE_ALL"):
            raise
        absent.add(f"the {name} door ({unavailable.reason})")
        pytest.skip(str(unavailable))
