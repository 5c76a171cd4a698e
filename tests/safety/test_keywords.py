"""Calls of every public function with keywords that no function has."""

from __future__ import annotations

from types import ModuleType

import pytest

from support.processes import run_in_child

UNKNOWN = """
def functions(owner):
    found = [getattr(owner, name) for name in dir(owner) if not name.startswith("_")]
    return [function for function in found if callable(function)]

counter = getattr(p, "Counter", None)
owners = [k, p, getattr(k, "Tokenizer", None), counter, getattr(p, "fast", None)]
found = [function for owner in owners if owner for function in functions(owner)]
if isinstance(getattr(counter, "value", None), property):
    found += [counter.value.fget, counter.value.fset]
for function in found:
    for name in ("\\ud800", "", "\\0", "x" * 100_000):
        try:
            function(**{name: 1})  # a ctypes.Structure takes any
        except (TypeError, UnicodeError):
            pass
"""


@pytest.mark.part("matmul")  # every binding has it
def test_unknown_keywords(backend: ModuleType) -> None:
    run_in_child(backend, [UNKNOWN])
