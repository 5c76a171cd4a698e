"""Shared by the tests of the patterns."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def patterns(backend: ModuleType) -> Any:
    """Return the patterns of each binding in turn."""
    return backend.patterns
