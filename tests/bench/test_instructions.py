"""Counts of instructions repeat exactly, and every change of 1 % is named."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from backends import missing

from benchmarks.ledger import instructions
from benchmarks.ledger import rows as rows_module
from benchmarks.ledger.instructions import command as command_module
from benchmarks.ledger.instructions import counting, flame, gate

CONTENDERS = ("python", "capi", "capi idiomatic", "ctypes fast", "torch")


@pytest.fixture
def then() -> dict[str, dict[str, float]]:
    """Return counts for every row, as large as the real ones."""
    draw = random.Random(1)
    return {
        row: {contender: round(draw.uniform(50, 60_000), 1) for contender in CONTENDERS}
        for row in rows_module.ALL
    }


def changed(counts: dict[str, dict[str, float]], row: str, contender: str, factor: float) -> Any:
    return {**counts, row: {**counts[row], contender: counts[row][contender] * factor}}


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
    arenas = counting.shared("arenas.c", tmp_path)
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


def test_simulated_caches_and_branches_give_cycles() -> None:
    events = "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim"
    dumps = []
    for name, misses in (("noop/nothing", 0), ("noop/capi", 3)):
        for loops in (counting.SHORT, counting.LONG):
            calls = loops * counting.UNROLLED
            summary = f"summary: {100 * calls} 9 9 0 {misses * calls} 0 0 {calls} 0 9 {calls} 9 0"
            text = dump(name, loops, 100 * calls).replace("events: Ir", events)
            dumps.append(text.replace(f"summary: {100 * calls}", summary))
    (cell,) = counting.net(dumps)["noop"].values()
    assert cell["gross"] == 100
    assert cell["cycles"] == 100 + 3 * 10 + 90 + 10


CALLS = """\
events: Ir
summary: 1000

fn=(1) PyObject_CallOneArg
5 100
cfn=(2) call
calls=10 7
6 900

fn=(2)
7 600
cfn=(3) strlen <&>
calls=10 9
8 300

fn=(3)
9 300

totals: 1000
"""


def test_a_flame_graph_shows_who_calls_whom(tmp_path: Path) -> None:
    found = [(bar.name, bar.depth, bar.left, bar.share) for bar in flame.bars(flame.profile(CALLS))]
    assert found == [
        ("PyObject_CallOneArg", 0, 0.0, 1.0),
        ("call", 1, 0.0, 0.9),
        ("strlen <&>", 2, 0.0, pytest.approx(0.3)),
    ]
    with ZipFile(tmp_path / counting.DUMPS, "w") as archive:
        archive.writestr("add_int/capi", CALLS)
    path = flame.draw("add_int:capi", tmp_path)
    titles = [one.text for one in ElementTree.parse(path).iter() if one.tag.endswith("title")]
    assert titles[2] == "strlen <&>: 1.2 instructions, 30.0%"
    with pytest.raises(FileNotFoundError, match="no count of add_int:rust"):
        flame.draw("add_int:rust", tmp_path)


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
    assert gate.nets(near) == gate.nets(far) == {"str_in": {"capi": 70.0}}


def test_one_percent_more_is_named_in_every_cell(then: dict[str, dict[str, float]]) -> None:
    verdicts = instructions.verdicts
    for row in then:
        for contender in CONTENDERS:
            (change,) = verdicts([changed(then, row, contender, 1.01)], then)
            assert (change.group, change.contender) == (row, contender)
            assert change.ratio == pytest.approx(1.01)
            (change,) = verdicts([changed(then, row, contender, 0.98)], then)
            assert change.ratio < 1
            assert verdicts([changed(then, row, contender, 1.009)], then) == []


def test_one_instruction_more_is_named_where_a_call_takes_few() -> None:
    verdicts = instructions.verdicts
    (change,) = verdicts([{"noop": {"capi": 21.0}}], {"noop": {"capi": 20.0}})
    assert str(change) == "noop [capi]: 20 → 21 instructions (+5.0%)"
    assert verdicts([{"noop": {"capi": 20.4}}], {"noop": {"capi": 20.0}}) == []


def test_no_alarm_in_a_hundred_null_comparisons(then: dict[str, dict[str, float]]) -> None:
    verdicts = instructions.verdicts
    for seed in range(100):
        draw = random.Random(seed)
        now = {
            row: {
                contender: count * draw.uniform(0.9951, 1.0049)
                for contender, count in contenders.items()
            }
            for row, contenders in then.items()
        }
        assert verdicts([now], then) == []


def test_what_one_side_lacks_is_named_but_not_a_change(then: dict[str, dict[str, float]]) -> None:
    now = {row: {**contenders, "pyo3": 1.0} for row, contenders in then.items() if row != "noop"}
    assert instructions.verdicts([now], then) == []
    lone = instructions.lone(now, then)
    assert "add_int [pyo3]" in lone
    assert "noop [capi idiomatic]" in lone
    assert "add_int [capi]" not in lone


def test_a_part_is_compared_with_its_part(then: dict[str, dict[str, float]]) -> None:
    now = {"noop": {"capi": 1.0, "capi idiomatic": 2.0}}
    part = gate.part(then, ["capi"], ["noop"])
    assert gate.lone(now, part) == []
    assert set(gate.part(then, CONTENDERS, None)) == set(then)


def test_a_baseline_records_what_the_layout_of_memory_changes(tmp_path: Path) -> None:
    layouts = [{"error": {"capi": count, "torch": 900.0}} for count in (400.0, 407.0, 401.0)]
    cells = gate.together(layouts)
    assert cells == {"error": {"capi": [400.0, 407.0, 401.0], "torch": 900.0}}
    document = {"versions": {"interpreter": "3.11.7, GCC"}, "cells": cells}
    gate.save(document, tmp_path / "baseline.json")
    assert json.loads((tmp_path / "baseline.json").read_text()) == document


@pytest.mark.parametrize(
    ("after", "named"),
    [
        ([404.0], True),  # the same layout counts more: count the others too
        ([404.0, 411.1, 405.1], True),
        ([404.0, 407.0, 405.0], False),  # the largest count is unchanged
        ([407.0, 400.0, 401.0], False),  # another order
        ([395.0, 402.0, 396.0], True),
    ],
)
def test_a_change_is_more_than_what_the_layout_does(after: list[float], named: bool) -> None:
    verdicts = instructions.verdicts
    then = {"error": {"capi": [400.0, 407.0, 401.0]}}
    layouts = [{"error": {"capi": count}} for count in after]
    assert bool(verdicts(layouts, then)) == named


def test_one_percent_more_is_named_in_every_cell_of_the_baseline() -> None:
    then = json.loads(gate.BASELINE.read_text("utf-8"))["cells"]
    layouts = [
        {
            row: {
                contender: kept[i] if isinstance(kept, list) else kept
                for contender, kept in contenders.items()
            }
            for row, contenders in then.items()
        }
        for i in range(3)
    ]
    assert gate.verdicts(layouts, then) == []
    for row, contenders in then.items():
        for contender, kept in contenders.items():
            seen = kept if isinstance(kept, list) else [kept]
            more = max(1.0, *(0.01 * count for count in seen))  # a call takes whole instructions
            worse = [
                {**counts, row: {**counts[row], contender: counts[row][contender] + more}}
                for counts in layouts
            ]
            assert [(one.group, one.contender) for one in gate.verdicts(worse[:1], then)] == [
                (row, contender)
            ]
            assert [(one.group, one.contender) for one in gate.verdicts(worse, then)] == [
                (row, contender)
            ]


def test_other_versions_are_named() -> None:
    matches = instructions.matches
    then = {"python": "3.11.7, GCC 12", "valgrind": "valgrind-3.19.0", "pyo3": "PyO3 0.30"}
    assert matches({**then, "torch": "torch 2.15"}, then) == []
    now = {"python": "3.12.1, GCC 12", "valgrind": "valgrind-3.19.0"}
    assert matches(now, then) == ["python: 3.11.7, GCC 12 then, 3.12.1, GCC 12 now"]


def test_check_refuses_more_and_lets_fewer_pass(
    then: dict[str, dict[str, float]], capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {"versions": {"python": "3.11"}, "cells": then}

    check = command_module.check

    def code(now: Any, known: str = "3.11") -> int:
        result: int = check(lambda backends, layout, rows: now, CONTENDERS, {"python": known}, kept)
        return result

    assert code(then) == 0
    assert code(changed(then, "dict_in", "capi idiomatic", 1.02)) == 1
    assert "dict_in [capi idiomatic]: " in capsys.readouterr().out
    assert code(changed(then, "dict_in", "capi idiomatic", 0.5)) == 0
    assert "dict_in [capi idiomatic]: " in capsys.readouterr().out
    assert code(then, known="3.12") == 2
    assert "python: 3.11 then, 3.12 now" in capsys.readouterr().out
    assert code({row: then[row] for row in then if row != "noop"}) == 2
    assert "on one side only: noop [capi]" in capsys.readouterr().out


def test_other_tools_pass_only_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = tmp_path / "baseline.json"
    baseline.write_text(json.dumps({"versions": {"python": "3.11"}, "cells": {}}))
    stand_ins = {
        "available": lambda: "",
        "_open_backends": lambda names: {"capi": SimpleNamespace(about=dict)},
        "versions": lambda abouts: {"python": version},
        "count": lambda *arguments: {},
    }
    for name, stand_in in stand_ins.items():
        monkeypatch.setattr(command_module, name, stand_in)
    command = ["check", "--only", "capi", "--baseline", str(baseline)]
    version = "3.12"
    for options, code in (([], 2), (["--other-tools-pass"], 0)):
        assert command_module.main([*command, *options]) == code
        assert "python: 3.11 then, 3.12 now" in capsys.readouterr().out
    version = "3.11"
    assert command_module.main([*command, "--other-tools-pass"]) == 0
    assert "0 cells changed" in capsys.readouterr().out


def test_a_change_that_another_layout_undoes_does_not_count(
    then: dict[str, dict[str, float]],
) -> None:
    seen: list[tuple[Any, Any]] = []

    def counted(backends: Any, layout: int, rows: Any) -> Any:
        seen.append((tuple(backends), rows))
        return then if layout == 7 else changed(then, "keywords", "capi idiomatic", 1.02)

    check = command_module.check
    assert check(counted, CONTENDERS, {}, {"versions": {}, "cells": then}) == 0
    assert seen[0] == (CONTENDERS, None)
    assert set(map(str, seen[1:])) == {str((("capi",), ["keywords"]))}


def test_a_change_of_opposite_signs_does_not_count(then: dict[str, dict[str, float]]) -> None:
    def counted(backends: Any, layout: int, rows: Any) -> Any:
        return changed(then, "iterate", "capi", 0.98 if layout == 1 else 1.02)

    check = command_module.check
    assert check(counted, CONTENDERS, {}, {"versions": {}, "cells": then}) == 0


def test_valgrind_may_be_anywhere_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Sequence[str]] = []
    monkeypatch.setattr(counting, "_run", lambda command, folder: ran.append(command))
    monkeypatch.setattr(counting, "unshuffled", tuple)
    monkeypatch.setattr(shutil, "which", lambda name: f"/opt/bin/{name}")
    assert counting._dumps("python", tmp_path / "new", {}) == []
    assert [command[0] for command in ran] == ["python", "/opt/bin/valgrind"]


def test_two_counts_are_equal(tmp_path: Path) -> None:
    if reason := instructions.available():
        missing(reason)
    folders = tmp_path / "one", tmp_path / "two"
    counts = []
    for folder in folders:
        folder.mkdir()
        counts.append(instructions.count(["python", "capi"], ["noop", "add_int"], folder))
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
    if reason := instructions.available():
        missing(reason)
    cells = {
        "nothing": (SLOW_AT_TIMES, "quick()"),
        "slow": (SLOW_AT_TIMES, "slow()"),
        "always": (SLOW_AT_TIMES, "always()"),
    }
    found = counting.count_statements(cells, tmp_path, sys.executable, sys.path)
    assert found["slow"] == pytest.approx(found["always"] / 20, rel=0.5)
    assert found["slow"] > 1000
