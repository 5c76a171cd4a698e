"""Subinterpreters, where the bindings do not work: NumPy supports the main interpreter only."""

from __future__ import annotations

import sys
from importlib import import_module

SUBINTERPRETER = (
    "the bindings need NumPy, which supports the main interpreter only",
    "load it in the main interpreter, or in a process of its own",
)


def in_subinterpreter() -> bool:
    """Return True if another interpreter than the main one runs here."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        interpreters = import_module(name)
    except ImportError:  # a Python without subinterpreters
        return False
    return bool(interpreters.get_current() != interpreters.get_main())
