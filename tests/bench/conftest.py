"""Fixtures for the benchmark's modules."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.core import machine
from benchmarks.ledger import empty, kernels, rows
from benchmarks.ledger import results as results_module

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
Bench = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the empty functions that every statement is measured against."""
    folder = tmp_path_factory.mktemp("empty")
    empty.build(folder)
    return folder


@pytest.fixture(autouse=True)
def empties(built: Path) -> None:
    """Load the empty functions."""
    empty.load(built)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Run the benchmark, with a temporary folder for its results."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
        return subprocess.run(
            [sys.executable, str(BENCHMARKS), "run", "--folder", str(tmp_path), *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    return run


@pytest.fixture
def results() -> Any:
    """Return a run of three processes without pyo3; every contender took about 2 ns."""
    made = results_module.Results(
        machine=machine.facts(),
        noise={"load": 0.5, "others": 0.5},
        inputs={"records": "records of some kind", "tokenizer": "a text of some kind"},
        absent={"tfrecord": "No module named 'tfrecord'"},
    )
    about = {"technology": "T 1.0", "compiler": "gcc", "kernel": "C", "isa": "avx2"}
    for name in ffi_cookbook.names():
        made.backends[name] = {"about": about, "provenance": {"files": []}}
    made.backends["pyo3"] = {"reason": "it is not built", "remedy": "pip install it"}
    names = [name for name in made.open_backends if name != "numpy"]
    for group, contenders in groups(names):
        for base in (3e-9, 1e-9, 2e-9):
            rounds = [base, base * 1.5, base * 0.5]
            made.add(group, {name: sample(name, rounds) for name in contenders})
    for row in rows.ALL:
        made.instructions[row] = {
            name: {"instructions": 100.0 + i, "gross": 120.0 + i} for i, name in enumerate(names)
        }
    return made


def sample(name: str, rounds: list[float]) -> dict[str, Any]:
    """Return what a process sends of a contender."""
    binding, _, variant = name.partition(" ")
    facts = {"binding": name, "variant": ""}
    if variant in ("again", "idiomatic", "fast"):
        facts = {"binding": binding, "variant": variant}
    if name in ("torch", "capi beside torch"):
        facts = {"binding": binding, "variant": "", "apart": True}
    return {**facts, "seconds": rounds, "work": 4.0}


def groups(backends: list[str]) -> Iterator[tuple[str, list[str]]]:
    for row in rows.ALL:
        yield f"pattern {row}", [*backends, "capi again", "capi beside torch", "ctypes idiomatic"]
    for size in kernels.SIZES:
        yield f"matmul {size}", [*backends, "numpy", "np.matmul"]
    yield "records decode", [*backends, "protobuf"]
    yield "tokenizer text", [*backends, "tiktoken", "HF tokenizers"]
    yield "attention capped forward", ["torch", "torch: blocks"]
