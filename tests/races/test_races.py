"""Attack what threads share, in a process for each binding and one for what stands above them."""

from __future__ import annotations

import pytest

import ffi_cookbook
from support.backends import binding
from support.processes import run_python


@pytest.mark.parametrize("name", [*ffi_cookbook.names(), "layers"])
def test_attacks(name: str, request: pytest.FixtureRequest) -> None:
    """Print the names of the attacks: the last one is where a process has died."""
    if name != "layers":
        binding(name)
    seconds = float(request.config.getoption("--seconds", 0.2))
    run_python("-m", "races.attack", name, 6, seconds, seconds=600 + 200 * seconds)
