"""Models and texts that run code, lie or change crash nothing and get the same answers."""

from __future__ import annotations

from functools import cache
from types import ModuleType

import pytest

from support import forged_models, hostile_models
from support.processes import run_in_child, run_python

pytestmark = pytest.mark.part("Tokenizer")

OTHER = [97, 239, 191, 189]  # "a" and U+FFFD
THREE: list[object] = [[97, 98, 99], 3, [3], [97, 98, 99]]
EXPECTED = {
    "memory_that_changes": [97, 195, 164, 230, 188, 162, 0, 1] * 2,
    "a_blank_that_is_a_letter": (2, 3000, True),
    "init_while_it_runs": "one model",
    "another_model_meanwhile": 0,
    "texts_that_lie": [*THREE * 3, OTHER, 4, [1, 4], OTHER, [0, 2, 3], *["TypeError"] * 12],
}


@pytest.mark.part("Tokenizer", native=True)
def test_models_and_texts_that_lie(backend: ModuleType) -> None:
    """They run in a child process, which may crash."""
    h = "from support import hostile_models as h"
    cases = [f"{h}; assert h.{case}(k) == {it!r}, h.{case}(k)" for case, it in EXPECTED.items()]
    run_in_child(backend, cases)


def test_texts_that_lie(backend: ModuleType) -> None:
    """In bindings without native code they are encoded in this process."""
    assert hostile_models.texts_that_lie(backend) == EXPECTED["texts_that_lie"]


# Forged models: no value in any table harms a kernel, and all kernels give the same answer.


@cache
def outcomes(name: str) -> list[str]:
    """Return the outcomes from a child process, which may crash."""
    return run_python(forged_models.__file__, name).splitlines()


@pytest.mark.part("Tokenizer", kernels=True, native=True)
def test_hostile_values_in_every_table(backend: ModuleType) -> None:
    name = backend.__name__.rpartition(".")[2]
    assert len(outcomes(name)) > 600
    assert outcomes(name) == outcomes("capi")
