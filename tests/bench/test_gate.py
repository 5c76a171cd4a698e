"""The gate: every change of 1 % of a count is named, and chance stops nothing."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks.ledger import rows as rows_module
from benchmarks.ledger.instructions import gate

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


def test_one_instruction_more_is_named_where_a_call_takes_few() -> None:
    verdicts = gate.verdicts
    (change,) = verdicts([{"noop": {"capi": 21.0}}], {"noop": {"capi": 20.0}})
    assert str(change) == "noop [capi]: 20 → 21 instructions (+5.0%)"
    assert verdicts([{"noop": {"capi": 20.4}}], {"noop": {"capi": 20.0}}) == []


def test_what_one_side_lacks_is_named_but_not_a_change(then: dict[str, dict[str, float]]) -> None:
    now = {row: {**contenders, "pyo3": 1.0} for row, contenders in then.items() if row != "noop"}
    assert gate.verdicts([now], then) == []
    lone = gate.lone(now, then)
    assert "add_int [pyo3]" in lone
    assert "noop [capi idiomatic]" in lone
    assert "add_int [capi]" not in lone


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
    verdicts = gate.verdicts
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
    matches = gate.matches
    then = {"python": "3.11.7, GCC 12", "valgrind": "valgrind-3.19.0", "pyo3": "PyO3 0.30"}
    assert matches({**then, "torch": "torch 2.15"}, then) == []
    now = {"python": "3.12.1, GCC 12", "valgrind": "valgrind-3.19.0"}
    assert matches(now, then) == ["python: 3.11.7, GCC 12 then, 3.12.1, GCC 12 now"]


def test_check_refuses_more_and_lets_fewer_pass(
    then: dict[str, dict[str, float]], capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {"versions": {"python": "3.11"}, "cells": then}

    check = gate.check

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
        monkeypatch.setattr(gate, name, stand_in)
    command = ["check", "--only", "capi", "--baseline", str(baseline)]
    version = "3.12"
    for options, code in (([], 2), (["--other-tools-pass"], 0)):
        assert gate.main([*command, *options]) == code
        assert "python: 3.11 then, 3.12 now" in capsys.readouterr().out
    version = "3.11"
    assert gate.main([*command, "--other-tools-pass"]) == 0
    assert "0 cells changed" in capsys.readouterr().out


def test_a_change_that_another_layout_undoes_does_not_count(
    then: dict[str, dict[str, float]],
) -> None:
    seen: list[tuple[Any, Any]] = []

    def counted(backends: Any, layout: int, rows: Any) -> Any:
        seen.append((tuple(backends), rows))
        return then if layout == 3 else changed(then, "keywords", "capi idiomatic", 1.02)

    check = gate.check
    assert check(counted, CONTENDERS, {}, {"versions": {}, "cells": then}) == 0
    assert seen[0] == (CONTENDERS, None)
    assert set(map(str, seen[1:])) == {str((("capi",), ["keywords"]))}
    assert len(seen) == 4  # the others are not counted
