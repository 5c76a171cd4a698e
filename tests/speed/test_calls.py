"""The calls of the benchmark, one by one, by pytest-benchmark's fixture.

    pytest tests/speed --benchmark-only -k "array_in or list_in"
    pytest tests/speed --benchmark-only --benchmark-autosave --benchmark-compare

`nox -s tests` only checks them. `nox -s bench` takes the bindings in turns, which holds on a busy
machine too.
"""

from __future__ import annotations

from textwrap import indent
from types import ModuleType
from typing import Any

import pytest

from benchmarks.ledger.rows import ALL


@pytest.mark.part("patterns")
@pytest.mark.parametrize("name", ALL)
def test_call(backend: ModuleType, name: str, benchmark: Any) -> None:
    row, benchmark.group = ALL[name], name
    timed = row.timed(backend.patterns)
    names = dict(timed.names)
    exec(f"def call():\n{indent(timed.statement, '    ')}", names)
    benchmark(names["call"])
    assert row.wrong(backend.patterns) is None
