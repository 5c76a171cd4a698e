"""Correctness before speed: every contender's answers, compared with those of an oracle."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import calls
import numpy as np
from baselines import BASELINES
from inputs import Inputs
from kernels import KERNELS, Jobs, operands

import bindings
from bindings.records import Batch, Ragged


def wrong_answers(
    backend: ModuleType, kernels: list[str], rows: list[str], inputs: Inputs
) -> list[str]:
    """Return what a binding gets wrong.

    The oracle of matmul is NumPy in double precision, that of the others the binding in plain
    Python.
    """
    complaints = []
    if "patterns" in kernels and backend.__name__ != "bindings.numpy":
        complaints += calls.wrong_answers(backend, rows)
    for kernel in KERNELS.keys() & kernels:
        complaints += _compared(kernel, KERNELS[kernel](backend, inputs, True), inputs)
    return complaints


def wrong_baseline(kernel: str, name: str, inputs: Inputs) -> list[str]:
    """Return what is wrong in a library's answers, or in our use of it."""
    return _compared(kernel, BASELINES[kernel][name](inputs, True), inputs)


def _compared(kernel: str, jobs: Jobs, inputs: Inputs) -> list[str]:
    if kernel == "matmul":
        return [f"{group}: beyond the error bound" for group in jobs if not _near(group, jobs)]
    oracle = KERNELS[kernel](bindings.load("python"), inputs, True)
    return [
        f"{group}: differs from the answer in plain Python"
        for group, job in jobs.items()
        if not _same(normal(job.result()), normal(oracle[group].result()))
    ]


def _near(group: str, jobs: Jobs) -> bool:
    if group == "matmul peak":
        return True
    n = int(group.split()[1])
    a, b = (operand.astype(np.float64) for operand in operands(n))
    bound = n * 2.0**-24 * (abs(a) @ abs(b))
    return bool((abs(jobs[group].result() - a @ b) <= bound).all())


def normal(result: Any) -> list[Any]:
    """Return an answer as a list of arrays, whatever its form."""
    if hasattr(result, "ids"):  # HF tokenizers
        result = result.ids
    if isinstance(result, list) and isinstance(result[0], dict):  # tfrecord: a dict a record
        columns = {name: [np.atleast_1d(row[name]) for row in result] for name in result[0]}
        return [np.concatenate(columns[name]) for name in sorted(columns)]
    if isinstance(result, dict | Batch):
        return [_flat(result[name]) for name in sorted(result)]
    return [np.asarray(result)]


def _flat(column: Any) -> Any:
    values = column.values if isinstance(column, Ragged) else column
    values = values[0] if isinstance(values, tuple) else values
    return np.asarray(values).reshape(-1)


def _same(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(map(np.array_equal, one, other))
