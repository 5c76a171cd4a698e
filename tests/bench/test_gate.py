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
NOOP = ("noop", "capi")


@pytest.fixture
def counts() -> dict[gate.Cell, float]:
    """Return counts for every row, as large as the real ones."""
    draw = random.Random(1)
    return {
        (row, contender): round(draw.uniform(50, 60_000), 1)
        for row in rows_module.ALL
        for contender in CONTENDERS
    }


@pytest.fixture
def kept(counts: dict[gate.Cell, float]) -> dict[gate.Cell, list[float]]:
    """Return a baseline with these counts."""
    return {cell: [count] * 3 for cell, count in counts.items()}


def test_one_instruction_more_is_named_where_a_call_takes_few() -> None:
    assert gate.verdicts([{NOOP: 21.0}], {NOOP: [20.0]}) == {NOOP: (20.0, 21.0)}
    assert gate.verdicts([{NOOP: 20.4}], {NOOP: [20.0]}) == {}


def test_a_baseline_records_what_the_layout_of_memory_changes(tmp_path: Path) -> None:
    cells = {NOOP: [400.0, 407.0, 401.0], ("noop", "torch"): [900.0] * 3}
    gate.save({"interpreter": "3.11.7, GCC"}, cells, tmp_path / "baseline.json")
    document = json.loads((tmp_path / "baseline.json").read_text())
    assert document["versions"] == {"interpreter": "3.11.7, GCC"}
    assert document["cells"] == {"noop": {"capi": [400.0, 407.0, 401.0], "torch": 900.0}}
    assert gate.read(document["cells"]) == cells


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
    layouts = [{NOOP: count} for count in after]
    assert bool(gate.verdicts(layouts, {NOOP: [400.0, 407.0, 401.0]})) == named


def test_one_percent_more_is_named_in_every_cell_of_the_baseline() -> None:
    kept = gate.read(json.loads(gate.BASELINE.read_text("utf-8"))["cells"])
    layouts = [{cell: counts[i] for cell, counts in kept.items()} for i in range(3)]
    assert gate.verdicts(layouts, kept) == {}
    for cell, seen in kept.items():
        more = max(1.0, *(0.01 * count for count in seen))  # a call takes whole instructions
        worse = [{**counts, cell: counts[cell] + more} for counts in layouts]
        assert list(gate.verdicts(worse[:1], kept)) == [cell]
        assert list(gate.verdicts(worse, kept)) == [cell]


def test_check_refuses_more_and_lets_fewer_pass(
    counts: dict[gate.Cell, float],
    kept: dict[gate.Cell, list[float]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    cell = "dict_in", "capi idiomatic"

    def code(now: dict[gate.Cell, float]) -> int:
        return gate.check(lambda backends, layout, rows: now, CONTENDERS, kept)

    assert code(counts) == 0
    for factor, expected in ((1.02, 1), (0.5, 0)):
        assert code({**counts, cell: counts[cell] * factor}) == expected
        assert "dict_in [capi idiomatic]: " in capsys.readouterr().out
    assert code({other: count for other, count in counts.items() if other != NOOP}) == 2
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
    counts: dict[gate.Cell, float], kept: dict[gate.Cell, list[float]]
) -> None:
    seen: list[tuple[Any, Any]] = []
    cell = "keywords", "capi idiomatic"

    def counted(backends: Any, layout: int, rows: Any) -> Any:
        seen.append((tuple(backends), rows))
        return counts if layout == 3 else {**counts, cell: counts[cell] * 1.02}

    assert gate.check(counted, CONTENDERS, kept) == 0
    assert seen[0] == (CONTENDERS, None)
    assert set(map(str, seen[1:])) == {str((("capi",), ["keywords"]))}
    assert len(seen) == 4  # the others are not counted
