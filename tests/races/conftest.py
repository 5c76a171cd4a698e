"""The option of `nox -s races -- --seconds 60`."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, default=0.2, help="processor time for each attack")
