"""Which exercises a run tests: all, or a part of them with those that have changed lately."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook_lessons.catalogue import CHAPTERS, Exercise, exercises

COMMITS = 3
SOURCES = Path(__file__).parents[2] / "lessons" / "chapters"
PARTS = 6
Turn = Callable[[list[Any], int], list[Any]]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that takes a part of the exercises."""
    parser.addoption(
        "--part", default="0/1", help="I/N: each Nth exercise, from the Ith on; commit: a sixth"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that takes an exercise once for each exercise of the part."""
    if "exercise" in metafunc.fixturenames:
        first, step = part(metafunc.config.getoption("--part"))
        changed = recently_changed() if step > 1 else set()
        chosen = [
            exercise
            for number, exercise in enumerate(exercises())
            if number % step == first or exercise.name in changed
        ]
        metafunc.parametrize("exercise", chosen, ids=lambda exercise: exercise.name)


@pytest.fixture
def turn(request: pytest.FixtureRequest) -> Turn:
    """Return what takes a share of a list: all of it, or with `--part commit` by the commit."""
    if request.config.getoption("--part") != "commit":
        return lambda items, shares: items
    return lambda items, shares: items[commits() // PARTS % shares :: shares]


def part(text: str) -> tuple[int, int]:
    """Return the number of the first exercise and the step: with `commit`, the parts take turns."""
    if text == "commit":
        return commits() % PARTS, PARTS
    first, step = map(int, text.split("/"))
    return first, step


def commits() -> int:
    """Return a third of the number of commits: CI tests the lessons in every third."""
    return int(git("rev-list", "--count", "HEAD")) // 3


def recently_changed() -> set[str]:
    """Return the names of the exercises that the last commits have changed."""
    listed = git("log", f"-{COMMITS}", "--name-only", "--format=", "--", str(SOURCES))
    parts = {tuple(line.split("/")[2:4]) for line in listed.splitlines() if line.count("/") > 3}
    return {Exercise(CHAPTERS.joinpath(*names)).name for names in parts if "_" in names[1]}


def git(*arguments: str) -> str:
    """Return what git prints of this repository."""
    done = subprocess.run(
        ["git", *arguments], cwd=SOURCES, capture_output=True, text=True, check=True
    )
    return done.stdout
