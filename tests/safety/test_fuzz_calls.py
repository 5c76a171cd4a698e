"""A few seconds of fuzzing arguments, and the faults that the fuzzer must report."""

from __future__ import annotations

import pytest

from fuzz.calls.parent import Run, all_cases
from fuzz.calls.report import faulty, report
from support.backends import open_backends

FAULTS = {
    "write_behind": "crash",
    "write_before": "damage",
    "truncating": "a result and an error",
    "hanging": "hang",
    "swallowing": "swallowed",
}


def test_all_bindings_end_alike() -> None:
    names = [name for name, _ in open_backends("matmul")]
    rows = all_cases(Run(seed=14), names, 0, 400)
    assert not faulty(rows, 0)


def test_planted_faults_are_found() -> None:
    run = Run(seed=3, functions="matmul,decode_fixed,index_records", hang=2.0, most_failures=1)
    rows = all_cases(run, ["python", *(f"planted.{fault}" for fault in FAULTS)], 0, 1000)
    for fault, what in FAULTS.items():
        pair = {name: rows[name] for name in ("python", f"planted.{fault}")}
        assert what in {found for _, found in faulty(pair, 0)}


def test_a_report_shows_a_case(capfd: pytest.CaptureFixture[str]) -> None:
    run = Run(seed=3, functions="decode_fixed")
    rows = all_cases(run, ["python", "planted.truncating"], 0, 100)
    assert report(run, rows, 0) > 0
    text = capfd.readouterr().out
    assert "a result and an error" in text
    assert "\n      record_size: a" in text
