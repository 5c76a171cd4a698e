"""Every exercise: what must pass passes, what must fail fails for the stated reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ffi_cookbook_lessons.catalogue import Exercise
from ffi_cookbook_lessons.grading import grade
from ffi_cookbook_lessons.process import Limits
from ffi_cookbook_lessons.verdict import Verdict
from support.attacks_on_the_checker import attacked

LEAST_WRONG = 5
Turn = Callable[[list[Any], int], list[Any]]
"""Takes a share of a list, which CI does by the commit; see conftest.py."""


def graded(exercise: Exercise, folder: Path, text: str, limits: Limits | None = None) -> Verdict:
    """Return the verdict on a text."""
    path = folder / exercise.file
    path.write_text(text, "utf-8")
    return grade(exercise, path, limits)


def found(verdict: Verdict) -> str:
    """Return what a failed test shows."""
    return f"{verdict.status} {verdict.modes} {verdict.finding} {verdict.findings}"


def test_right_solutions_pass_in_all_modes(exercise: Exercise, tmp_path: Path) -> None:
    for name, text in (("ours", exercise.solution), *exercise.others()):
        verdict = graded(exercise, tmp_path, text)
        assert verdict.status == "pass", (name, found(verdict))
        assert set(verdict.modes.values()) == {"pass"}, name
        assert {test.status for test in verdict.tests} == {"pass"}, name


def test_what_is_not_a_solution_fails(exercise: Exercise, tmp_path: Path) -> None:
    assert graded(exercise, tmp_path, exercise.stub).status != "pass"
    assert graded(exercise, tmp_path, "").status != "pass"
    broken = graded(exercise, tmp_path, exercise.solution + "\n(((\n")
    assert broken.status == "error"
    assert broken.finding is not None
    assert broken.finding.line >= 1


def test_planted_faults_fail_for_the_stated_reason(
    exercise: Exercise, turn: Turn, tmp_path: Path
) -> None:
    planted = list(exercise.planted())
    assert len(planted) >= LEAST_WRONG
    wrong = []
    for name, rules, text in turn(planted, 2):
        verdict = graded(exercise, tmp_path, text)
        if verdict.finding is None or verdict.finding.rule not in rules:
            wrong.append((name, rules, found(verdict)))
    assert not wrong, "\n".join(map(str, wrong))


def test_attacks_fail(exercise: Exercise, turn: Turn, tmp_path: Path) -> None:
    idle = []
    for name, text in turn(attacked(exercise), 4):
        verdict = graded(exercise, tmp_path, text, Limits(seconds=2, processor=10))
        assert verdict.finding is not None, name
        if name == "takes our solution":
            assert "ermission denied" in verdict.finding.message, found(verdict)
        elif verdict.finding.rule == "does-not-compile":
            idle.append((name, found(verdict)))
    assert not idle, "attacks that did not run"
