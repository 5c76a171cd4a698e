"""Checking an exercise whenever its file is saved."""

from __future__ import annotations

from rich.console import Console

from lessons.catalogue import Exercise
from lessons.command import check
from lessons.workspace import Workspace


def watch(exercise: Exercise, workspace: Workspace, console: Console) -> int:
    """Check the exercise now and after each save, and go on to the next one after success.

    Ctrl-C ends it.
    """
    try:
        from watchfiles import watch as changes
    except ImportError:
        raise LookupError(
            "watchfiles is not installed: pip install watchfiles, or use ffi-cookbook learn run"
        ) from None
    console.print(f"{exercise.name}: {exercise.title}", markup=False)
    check(exercise, workspace, console)
    for _ in changes(workspace.folder, watch_filter=lambda change, path: _watched(path)):
        console.rule()
        current = workspace.current() if workspace.passed(exercise) else exercise
        if current is None:
            return 0
        exercise = current
        check(exercise, workspace, console)
    return 0


def _watched(path: str) -> bool:
    return "exercise." in path and not path.endswith(("~", ".old", ".swp"))
