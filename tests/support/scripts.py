"""The scripts of tools/, as modules."""

from __future__ import annotations

import importlib.util
import types
from pathlib import Path

TOOLS = Path(__file__).parents[2] / "tools"


def tool(name: str) -> types.ModuleType:
    """Return the module of a script."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
