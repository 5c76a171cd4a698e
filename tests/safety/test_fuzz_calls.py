"""A few seconds of fuzzing arguments, and the faults that the fuzzer must report."""

from __future__ import annotations

import pytest

from fuzz.calls.planted import FAULTS
from fuzz.calls.search import children, search
from support.backends import open_backends


def test_all_bindings_end_alike() -> None:
    names = [name for name, _ in open_backends("matmul")]
    with children(names) as running:
        search(running, 250, first=14)


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    what, functions = FAULTS[fault]
    with (
        children(["python", f"planted.{fault}"], ["--hang=2"]) as running,
        pytest.raises(AssertionError, match=what),
    ):
        search(running, 2000, functions=list(functions), shrink=False)


def test_a_report_shows_the_smallest_case() -> None:
    with (
        children(["python", "planted.truncating"]) as running,
        pytest.raises(AssertionError) as caught,
    ):
        search(running, 2000, functions=["decode_fixed"])
    report = "\n".join([str(caught.value), *caught.value.__notes__])
    assert "a result and an error" in report
    assert "# x is the record_size above" in report
    assert report.count("  # x is") == 1
