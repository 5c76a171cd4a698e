"""Measure how much longer the first call of a process takes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from benchmarks.core.statements import Cost
from benchmarks.studies.experts.common import Result, ranked, shown, times
from benchmarks.study import Setting

ORDER = ("first", "second", "hundredth")
PROGRAM = """\
import json, sys, time
import ffi_cookbook
f = ffi_cookbook.load(sys.argv[1]).patterns.add_int
taken = []
for _ in range(100):
    start = time.perf_counter_ns()
    f(3000, 4000)
    taken.append(time.perf_counter_ns() - start)
print(json.dumps([taken[0], taken[1], taken[99]]))
"""


def measure(setting: Setting) -> Any:
    """Return the calls of `add_int` in fresh processes, after the import: the lowest of each."""
    columns: dict[str, dict[str, Cost]] = {call: {} for call in ORDER}
    for name in setting.backends:
        command = [sys.executable, "-P", "-c", PROGRAM, name]
        runs = [json.loads(subprocess.check_output(command)) for _ in range(setting.rounds)]
        for call, ns in zip(ORDER, zip(*runs, strict=True), strict=True):
            columns[call][name] = Cost(float(min(ns)))
    return columns


def show(found: Result, backends: list[str]) -> str:
    """Say how much more the first call takes."""
    first = {name: {"": cost} for name, cost in found["first"].items()}
    last = {f"{name} again": {"": cost} for name, cost in found["hundredth"].items()}
    more = ranked(first, lambda name: times(first | last, name, f"{name} again"))
    return shown(
        f"The first call takes, relative to the hundredth: {more}. Both include the clock.", found
    )
