"""Counts of instructions: the difference of two loops, exactly the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.core import native
from benchmarks.ledger.instructions import counting, gate
from support.backends import missing


def dump(name: str, loops: int, total: int) -> str:
    """Return the lines of a callgrind file that are read."""
    label = f"{name}/{loops}"
    return (
        f"version: 1\npart: 3\n\ndesc: Trigger: Client Request: {label}\n\n"
        f"events: Ir\nsummary: {total}\n\nfn=(1) f\n0 {total}\n\ntotals: {total}\n"
    )


def test_a_call_is_the_difference_of_two_loops_above_nothing() -> None:
    short, long, unrolled = counting.SHORT, counting.LONG, counting.UNROLLED
    dumps = [
        dump(name, loops, 5000 + disturbed + each * loops * unrolled)
        for name, each in (("add_int/nothing", 100), ("add_int/capi idiomatic", 350))
        for loops, disturbed in ((short, 1300), (short, 120), (long, 120))
    ]
    assert counting.net([*dumps, "callgrind's last, which has no name"]) == {
        "add_int": {"capi idiomatic": {"instructions": 250.0, "gross": 350.0, "scan": 0.0}}
    }


@pytest.mark.skipif(sys.platform != "linux", reason="callgrind counts on Linux")
def test_an_arena_starts_at_a_multiple_of_its_size(tmp_path: Path) -> None:
    arenas = native.shared(counting.HERE / "arenas.c", tmp_path)
    script = """
import ctypes
mmap = ctypes.CDLL(None).mmap
mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
mmap.restype = ctypes.c_size_t
size, read_write, private_anonymous = 1 << 20, 3, 0x22
print({mmap(None, size, read_write, private_anonymous, -1, 0) % size for _ in range(8)})
"""
    command = (sys.executable, "-c", script)
    assert _printed(command, {}) != "{0}"
    assert _printed(command, {"LD_PRELOAD": str(arenas)}) == "{0}"


def _printed(command: Sequence[str], environment: Mapping[str, str]) -> str:
    env = {**os.environ, **environment}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_where_strings_lie_does_not_matter() -> None:
    short, long, unrolled = counting.SHORT, counting.LONG, counting.UNROLLED

    def counted(scan: int) -> Any:
        dumps = []
        for name, each in (("str_in/nothing", 0), ("str_in/capi", 1)):
            for loops in (short, long):
                calls = each * loops * unrolled
                functions = (
                    f"fn=(1) f\n0 {70 * calls}\ncfn=(2) __memcmp_avx2_movbe\n"
                    f"calls={calls} 0\n0 {scan * calls}\n\nfn=(2)\n80 {scan * calls}\n+4 0\n\n"
                )
                total = (70 + scan) * calls
                dumps.append(dump(name, loops, total).replace(f"fn=(1) f\n0 {total}\n", functions))
        return counting.net(dumps)

    near, far = counted(30), counted(22)
    assert near["str_in"]["capi"] == {"instructions": 100.0, "gross": 100.0, "scan": 30.0}
    assert gate.nets(near) == gate.nets(far) == {("str_in", "capi"): 70.0}


def test_two_counts_are_equal(tmp_path: Path) -> None:
    if reason := counting.available():
        missing(reason)
    folders = tmp_path / "one", tmp_path / "two"
    counts = []
    for folder in folders:
        folder.mkdir()
        counts.append(counting.count(["python", "capi"], ["noop", "add_int"], folder))
    one, two = counts
    assert one == two
    assert list(one) == ["noop", "add_int"]
    assert {"python", "capi"} <= set(one["add_int"])
    assert 50 < one["noop"]["capi"]["instructions"] < one["noop"]["capi"]["gross"] < 1000


SLOW_AT_TIMES = """
def quick():
    pass

turn = iter(range(1 << 60))
def slow():
    next(turn) % 20 or sum(range(1000))

def always():
    next(turn) % 20 or 0
    sum(range(1000))
"""


def test_what_one_call_in_twenty_costs_is_counted(tmp_path: Path) -> None:
    if reason := counting.available():
        missing(reason)
    cells = {
        "nothing": (SLOW_AT_TIMES, "quick()"),
        "slow": (SLOW_AT_TIMES, "slow()"),
        "always": (SLOW_AT_TIMES, "always()"),
    }
    found = counting.count_statements(cells, tmp_path, [])
    assert found["slow"] == pytest.approx(found["always"] / 20, rel=0.5)
    assert found["slow"] > 1000
