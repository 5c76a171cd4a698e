"""`kill -9` at random points of an epoch: before and after it, each batch comes exactly once."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data.tokens.token_files import TokenWriter
from support.processes import run_python

PROGRAM = Path(__file__).parent / "killed_shares.py"


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return a file of 51 records, and two files of 151 and 71 tokens."""
    folder = tmp_path_factory.mktemp("killed")
    names = "numbers.tfrecord", "0.bin", "1.bin"
    found = [folder / name for name in names]
    records.write(found[0], [{"number": i} for i in range(51)])
    for path, size in zip(found[1:], (151, 71), strict=True):
        with TokenWriter(path, np.uint16) as file:
            file.write(np.arange(size) + size * 100, [size])
    return found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.parametrize(
    ("first", "end"),
    [(0, 3), *(pytest.param(n, n + 5, marks=pytest.mark.full) for n in range(3, 18, 5))],
)
@pytest.mark.parametrize("kind", ["records", "mixture", "tokens", "mixed tokens"])
def test_an_epoch_of_shares_that_are_killed_is_exact(
    kind: str, first: int, end: int, paths: list[Path], tmp_path: Path
) -> None:
    """On 1, 2, 3, 4 and 8 ranks with one or two workers, and then on others."""
    found = run_python(PROGRAM, kind, first, end, *paths, cwd=tmp_path, seconds=600)
    assert int(found) >= 10
