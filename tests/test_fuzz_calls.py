"""A few seconds of the fuzzer of arguments, and that it reports the faults it is made for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from doors import open_doors

sys.path.insert(0, str(Path(__file__).parent / "fuzz"))

from calls.parent import Run, all_cases
from calls.report import faulty, report

FAULTS = {
    "write_behind": ("matmul", "crash"),
    "write_before": ("matmul", "damage"),
    "truncating": ("decode_fixed", "a result and an error"),
    "hanging": ("index_records", "hang"),
    "swallowing": ("matmul", "swallowed"),
}


def test_no_binding_crashes_or_hangs() -> None:
    names = [name for name, _ in open_doors("matmul")]
    rows = all_cases(Run(seed=14), names, 0, 300)
    found = [(n, what) for n, what in faulty(rows, 0) if {"crash", "hang", "damage"} & {what}]
    assert not found


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    function, what = FAULTS[fault]
    run = Run(seed=3, functions=function, hang=3.0, most_failures=1)
    rows = all_cases(run, ["python", f"planted.{fault}"], 0, 800)
    assert what in {found for _, found in faulty(rows, 0)}


def test_a_report_names_the_smallest_case(capfd: pytest.CaptureFixture[str]) -> None:
    run = Run(seed=3, functions="decode_fixed")
    rows = all_cases(run, ["python", "planted.truncating"], 0, 800)
    assert report(run, rows, 0) > 0
    text = capfd.readouterr().out
    assert "a result and an error" in text
    assert "\n      record_size: a" in text
