"""The ledger of patterns: every binding has every function, and every variant is right."""

from __future__ import annotations

import inspect
import re
from array import array
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from benchmarks import REFERENCES
from benchmarks.ledger import rows as rows_module
from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS
from support.backends import binding

pytestmark = pytest.mark.part("patterns")

ROOT = Path(__file__).parents[2]
JUNK = [None, "", "\ud800", b"x", -1, 1.5, [], [None], {}, {1: "a"}, object(), len]
JUNK += [np.ones(3, np.float32), np.ones((2, 2))[:, 0], np.arange(3), np.array(["a"])]


@pytest.fixture
def rows() -> ModuleType:
    """Return the rows of the benchmark."""
    return rows_module


def test_every_variant_gives_the_answer(backend: ModuleType, rows: ModuleType) -> None:
    wrong = {
        (row, variant): rows.ALL[row].wrong(patterns, variant)
        for row in rows.ALL
        for _, variant, patterns in rows.contenders({"binding": backend}, row)
    }
    assert {contender: answer for contender, answer in wrong.items() if answer} == {}
    assert len(wrong) >= len(rows.ALL)


def test_every_backend_has_every_function(backend: ModuleType, rows: ModuleType) -> None:
    assert len(rows.ROWS) >= 30
    pages = {name: pattern.page for name, pattern in PATTERNS.items()}
    assert {(row.function, row.page) for row in rows.ALL.values()} <= set(pages.items())
    missing = {name for name in pages if not callable(getattr(backend.patterns, name, None))}
    assert missing == set()


def test_every_row_has_its_page(backend: ModuleType, rows: ModuleType) -> None:
    binding = backend.__name__.split(".")[-1]
    folder = ROOT / "bindings" / binding / "patterns"
    headed = {
        path.stem
        for suffix in (".py", ".c", ".cpp", ".pyx", ".rs")
        for path in folder.glob(f"*{suffix}")
        if all(f"{head}:" in path.read_text() for head in ("Shows", "Build", "Bites"))
    }
    assert {row.page for row in rows.ALL.values()} <= headed


def test_cython_functions_have_the_default_binding() -> None:
    """Cython's functions are Python functions to `inspect`, except those of `fast`.

    A method is not: as such a function it would take any object for its self.
    """
    patterns = binding("cython").patterns
    assert type(patterns.add_int).__name__ == "cython_function_or_method"
    assert inspect.ismethoddescriptor(patterns.Counter.add)
    assert inspect.isbuiltin(patterns.fast.array_in)


def variants(patterns: Any, rows: ModuleType) -> Iterator[tuple[str, str, Any]]:
    for variant in rows.VARIANTS:
        space = getattr(patterns, variant, None)
        for name in sorted({row.function for row in rows.ALL.values()}):
            if hasattr(space, name):
                yield variant, name, getattr(space, name)


def test_every_variant_says_what_it_costs(patterns: Any, rows: ModuleType) -> None:
    """The cost is one sentence; some tools put the signature before it."""
    for variant, name, function in variants(patterns, rows):
        said = (inspect.getdoc(function) or "").split("\n\n")[-1]
        assert re.fullmatch(r"[A-Z`*].+\.", said, re.DOTALL), (variant, name, said)
        assert not re.search(r"\.\s+[A-Z]", said), (variant, name, said)
        assert function is not getattr(patterns, name), (variant, name)


def test_what_is_idiomatic_does_not_crash(patterns: Any, rows: ModuleType) -> None:
    """An idiomatic variant may accept these arguments, but a huge int would take all memory."""
    for variant, _, function in variants(patterns, rows):
        if variant == "idiomatic":
            for n in range(3):
                for arguments in product(JUNK, repeat=n):
                    with suppress(Exception):
                        function(*arguments)


def test_the_readme_says_which_arrays_are_taken(backend: ModuleType) -> None:
    name = backend.__name__.rpartition(".")[2]
    if name in REFERENCES:
        pytest.skip("the table is of native bindings")
    readme = (ROOT / "README.md").read_text("utf-8")
    said = re.search(r"a buffer for these: as documented (.*?); on our\s+pages (.*?)\.", readme)
    assert said
    modules = backend.patterns.idiomatic, backend.patterns
    for names, module in zip(said.groups(), modules, strict=True):
        function = getattr(module, "array_in", backend.patterns.array_in)
        try:
            taken = function(array("d", [1.0, 2.0])) == 3.0
        except (TypeError, AttributeError):
            taken = False
        assert taken == (f"`{name}`" in names), names
