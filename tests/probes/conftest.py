"""What the tests of the probes share."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def probes(backend: ModuleType) -> Any:
    """The probes of a door, one door after the other."""
    return backend.probes
