"""Verdicts, lists and hints on a terminal: every mark is a word, and colour only adds to it."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ffi_cookbook.terminal import printable

from .catalogue import Exercise, chapters
from .rules import sentences
from .scorecard import Scorecard
from .verdict import Verdict
from .workspace import Workspace

COLOURS = {"pass": "green", "fail": "red", "error": "red", "not run": "yellow"}
MOST_TESTS = 6
LONG_CALL = 1e5
"""Nanoseconds from which on the share of the GIL says something about a call."""


def marked(status: str) -> Text:
    """Return the word of a status in its colour."""
    return Text(status.upper(), COLOURS[status])


def show_verdict(console: Console, verdict: Verdict, path: Path) -> None:
    """Print the verdict: the broken rule in one sentence, then the observations."""
    finding = verdict.finding
    if finding is None:
        modes = ", ".join(verdict.modes)
        cases = f" {verdict.exercise}: {len(verdict.tests)} cases, {modes}"
        console.print(Text.assemble(marked("pass"), cases))
        return
    place = f"{path.name}:{finding.line}" if finding.line else path.name
    where = f" {verdict.exercise}  {printable(place)}  "
    console.print(Text.assemble(marked(verdict.status), where, (finding.rule, "bold")))
    console.print(Padding(Text(sentences()[finding.rule]), (0, 0, 0, 2)))
    console.print(f"  {printable(finding.message)}", soft_wrap=True)
    if finding.line:
        lines = path.read_text("utf-8", "replace").splitlines()
        text = lines[finding.line - 1].strip() if finding.line <= len(lines) else ""
        console.print(f"  {finding.line} | {printable(text)}")
    bad = [test for test in verdict.tests if test.status != "pass"]
    if verdict.modes:
        good = len(verdict.tests) - len(bad)
        console.print(f"\n  {good} of {len(verdict.tests)} cases pass")
    for test in bad[:MOST_TESTS] if verdict.modes else []:
        said = f" {printable(test.message or test.name)}"
        console.print(Text.assemble("  ", marked(test.status), said), soft_wrap=True)
    if len(bad) > MOST_TESTS and verdict.modes:
        console.print(f"  and {len(bad) - MOST_TESTS} more")
    for mode, outcome in verdict.modes.items():
        console.print(f"  {mode:12} {outcome}")


def show_scorecard(console: Console, card: Scorecard) -> None:
    """Print the costs of a call, beside our solution's."""
    console.print(f"What {printable(card.case)} costs", soft_wrap=True)
    table = Table()
    for heading in ("", "yours", "ours"):
        table.add_column(heading, justify="right" if heading else "left")
    both = (card.yours, card.ours)
    table.add_row("ns a call", *(f"{cost.nanoseconds:,.0f}" for cost in both))
    table.add_row("bytes allocated", *(f"{cost.bytes:,.0f}" for cost in both))
    table.add_row("native calls", *(f"{cost.crossings:,.0f}" for cost in both))
    if card.ours.nanoseconds > LONG_CALL:
        table.add_row("other threads stand still", *(f"{cost.gil:.0%}" for cost in both))
    console.print(table)


def show_list(console: Console, workspace: Workspace) -> None:
    """Print all chapters and exercises, and mark those that have passed."""
    current = workspace.current()
    for chapter in chapters():
        done = sum(map(workspace.passed, chapter.exercises))
        passed = f"  {done} of {len(chapter.exercises)}"
        console.print(Text.assemble("\n", (chapter.title, "bold"), passed))
        for exercise in chapter.exercises:
            word = "passed" if workspace.passed(exercise) else "      "
            mark = ">" if current and exercise.name == current.name else " "
            console.print(f"{mark} {word}  {exercise.name:32} {exercise.title}")


def show_next(console: Console, workspace: Workspace, exercise: Exercise) -> None:
    """Print the next exercise after one that has passed."""
    after = str(exercise.about.get("after", "")).strip()
    if after:
        console.print(f"\n{after}")
    console.print(f"\nOur solution, for comparison: ffi-cookbook learn solution {exercise.name}")
    following = workspace.following(exercise)
    if following is None:
        console.print("That was the last exercise: all have passed.")
        return
    path = printable(workspace.path(following))
    console.print(f"Next: {following.name}, {following.title}: {path}", soft_wrap=True)
