"""What the tests of the patterns share."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def patterns(backend: ModuleType) -> Any:
    """The patterns of a binding, one binding after the other."""
    return backend.patterns
