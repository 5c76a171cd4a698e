"""Forged models: no value in any table harms a kernel, and all kernels give the same answer."""

from __future__ import annotations

from functools import cache
from types import ModuleType

import pytest

from support import forged_models
from support.processes import run_python

pytestmark = pytest.mark.part("Tokenizer")


@cache
def outcomes(name: str) -> list[str]:
    """Return the outcomes from a child process, which may crash."""
    return run_python(forged_models.__file__, name).splitlines()


@pytest.mark.part("Tokenizer", kernels=True, native=True)
def test_hostile_values_in_every_table(backend: ModuleType) -> None:
    name = backend.__name__.rpartition(".")[2]
    assert len(outcomes(name)) > 600
    assert outcomes(name) == outcomes("capi")
