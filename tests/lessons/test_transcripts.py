"""The transcripts of the chapters: they go to the end, and say what the checker says."""

from __future__ import annotations

from pathlib import Path

import pytest
from ffi_cookbook_lessons.catalogue import chapters, find
from tool import tool

transcripts = tool("transcripts")
PAGES = sorted(transcripts.PAGES.glob("*.md"))
PLAYED = [page for page in PAGES if transcripts.WRITTEN.search(page.read_text("utf-8"))]


def test_each_chapter_has_a_transcript() -> None:
    assert [page.stem for page in PAGES] == [chapter.folder.name for chapter in chapters()]


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.stem)
def test_a_transcript_shows_the_verdicts_that_are_tested(page: Path) -> None:
    runs, printed = transcripts.played(page)
    for (name, held), line in zip(runs, printed, strict=True):
        rules = {fault: rules for fault, rules, _ in find(name).planted()}
        if held == "solution":
            assert line.startswith(f"PASS {name}: ")
        else:
            assert line.startswith((f"FAIL {name}  exercise", f"ERROR {name}  exercise"))
            assert held == "stub" or line.split()[-1] in rules[held], held


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.stem)
def test_a_transcript_passes_all_exercises_of_its_chapter(page: Path) -> None:
    runs, _ = transcripts.played(page)
    (chapter,) = (chapter for chapter in chapters() if chapter.folder.name == page.stem)
    assert {name for name, held in runs if held == "solution"} == {
        exercise.name for exercise in chapter.exercises
    }
