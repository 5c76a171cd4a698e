"""Forged models: no value in any table harms a kernel, and all kernels give the same answer."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from support import forged_models

pytestmark = pytest.mark.part("Tokenizer")


@cache
def outcomes(name: str) -> list[str]:
    """Return the outcomes from a child process, which may crash."""
    command = [sys.executable, "-P", "-W", "ignore", str(Path(forged_models.__file__)), name]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stdout[-300:] + run.stderr[-1500:]
    return run.stdout.splitlines()


@pytest.mark.part("Tokenizer", native=True)
def test_hostile_values_in_every_table(backend: ModuleType) -> None:
    name = backend.__name__.rpartition(".")[2]
    assert len(outcomes(name)) > 600
    assert outcomes(name) == outcomes("capi")
