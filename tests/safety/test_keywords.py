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


# ---- A binding whose modules leave sys.modules is imported again, and works.


AGAIN = """
import sys, warnings
import ffi_cookbook
warnings.simplefilter("error")
first = p.Point(1, 2), p.Counter(3), p.countdown(4)
name = k.__name__
own = (name + ".", "ffi_cookbook_" + name.split(".")[-1] + ".")
left = [each for each in sys.modules if (each + ".").startswith(own)]
assert left
for each in left:
    del sys.modules[each]
again = ffi_cookbook.load(name.split(".")[-1])
q = again.patterns
assert again is not k and q.struct_in(q.Point(1, 2)) == 3 and q.Counter(3).add(1) == 4
assert list(q.countdown(3)) == [2, 1, 0] and q.array_in(np.ones(3)) == 3
assert again.Tokenizer.__name__ == "Tokenizer"
assert p.struct_in(first[0]) == 3 and first[1].add(1) == 4 and list(first[2]) == [3, 2, 1, 0]
"""


@pytest.mark.part("patterns", native=True)
def test_a_second_import(backend: ModuleType) -> None:
    if backend.__name__.endswith("torch"):  # an operator is registered once in a process
        return
    run_in_child(backend, [AGAIN])
