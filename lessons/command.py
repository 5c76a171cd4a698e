"""`ffi-cookbook learn`: the lessons on the command line."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from ffi_cookbook.terminal import printable

from . import showing, tools
from .catalogue import Exercise, exercises, find
from .grading import attempt, grade
from .scorecard import scorecard
from .verdict import Verdict
from .workspace import STATE, NoWorkspace, Workspace

NAME = {"nargs": "?", "metavar": "EXERCISE", "help": "such as c_api/add; without it, the next one"}
EPILOG = """exit codes: 0 all is well, or the key q has ended watch; 1 an exercise did not pass
(run, results), a submission could not be graded (grade), or a tool is missing (doctor); 2 wrong
usage, or a file that cannot be read or written; 130 interrupted"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the subcommands of the command to its parser."""
    command.epilog = EPILOG
    verbs = command.add_subparsers(dest="verb", required=True)
    init = verbs.add_parser("init", help="make a folder with the texts and the exercises")
    init.add_argument("folder", nargs="?", default="ffi-lessons", type=Path)
    verbs.add_parser("list", help="list the exercises and those that have passed")
    for verb, words in (
        ("run", "check an exercise"),
        ("watch", "check the next exercise whenever its file is saved"),
        ("hint", "show the next of three hints"),
        ("diff", "show what was changed since the stub"),
        ("reset", "write the stub again; the old file is renamed"),
        ("solution", "show our solution of an exercise that has passed"),
    ):
        verbs.add_parser(verb, help=words).add_argument("exercise", **NAME)  # type: ignore[arg-type]
    verbs.add_parser("doctor", help="check the compilers and tools that the exercises need")
    results = verbs.add_parser("results", help="check all exercises")
    results.add_argument("--json", action="store_true", help="print JSON")
    marks = verbs.add_parser("grade", help="check many submissions")
    marks.add_argument(
        "folder", type=Path, help="a folder that has a folder of lessons in it for each learner"
    )
    marks.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Run the subcommand and return the exit code, as EPILOG explains it."""
    # A name, a path or a message may hold anything: marks are only in what `showing` has written.
    console = Console(markup=False, highlight=False, emoji=False)
    verbs: dict[str, Callable[[argparse.Namespace, Console], int]] = {
        "init": _init,
        "list": _list,
        "run": _run,
        "watch": _watch,
        "hint": _hint,
        "diff": _diff,
        "reset": _reset,
        "solution": _solution,
        "doctor": _doctor,
        "results": _results,
        "grade": _grade,
    }
    try:
        return verbs[options.verb](options, console)
    except (LookupError, ValueError) as error:
        print(f"ffi-cookbook learn: {printable(error.args[0])}", file=sys.stderr)
        return 2


def _init(options: argparse.Namespace, console: Console) -> int:
    workspace = Workspace.create(options.folder)
    first = workspace.current()
    console.print(
        f"{len(exercises())} exercises are in {printable(workspace.folder)}", soft_wrap=True
    )
    if first is not None:
        chapter = workspace.path(first).parents[1]
        console.print(
            printable(f"Read {chapter / 'README.md'}, then edit {workspace.path(first)}"),
            soft_wrap=True,
        )
    console.print(
        f"and run: cd {printable(options.folder)}; ffi-cookbook learn watch", soft_wrap=True
    )
    return 0


def _list(options: argparse.Namespace, console: Console) -> int:
    showing.show_list(console, Workspace.find(Path.cwd()))
    return 0


def chosen(options: argparse.Namespace, workspace: Workspace) -> Exercise:
    """Return the exercise that the command names, that of the current folder, or the next one."""
    if options.exercise:
        return find(options.exercise.rstrip("/"))
    here = Path.cwd().resolve()
    for exercise in exercises():
        if workspace.path(exercise).parent == here:
            return exercise
    following = workspace.current()
    if following is None:
        raise LookupError("all exercises have passed: name one")
    return following


def file_of(exercise: Exercise, workspace: Workspace) -> Path:
    """Return the learner's file; raise LookupError if it does not exist."""
    path = workspace.path(exercise)
    if not path.exists():
        raise LookupError(f"{path} does not exist: ffi-cookbook learn reset {exercise.name}")
    return path


def check(exercise: Exercise, workspace: Workspace, console: Console) -> Verdict:
    """Grade the learner's file, show the verdict and remember a success."""
    path = file_of(exercise, workspace)
    verdict = grade(exercise, path, root=workspace.folder)
    showing.show_verdict(console, verdict, path)
    if verdict.status == "pass":
        workspace.note(exercise, verdict.sha256)
        if card := scorecard(exercise, path, verdict.seed):
            showing.show_scorecard(console, card)
        showing.show_next(console, workspace, exercise)
    return verdict


def _run(options: argparse.Namespace, console: Console) -> int:
    workspace = Workspace.find(Path.cwd())
    return int(check(chosen(options, workspace), workspace, console).status != "pass")


def _watch(options: argparse.Namespace, console: Console) -> int:
    from .watching import watch

    workspace = Workspace.find(Path.cwd())
    return watch(chosen(options, workspace), workspace, console)


def show_hint(exercise: Exercise, workspace: Workspace, console: Console) -> None:
    """Show one more hint than the last time, and remember that."""
    state = workspace.state(exercise)
    state.hints = min(state.hints + 1, len(exercise.hints))
    workspace.save()
    for number, hint in enumerate(exercise.hints[: state.hints], 1):
        console.print(f"{number} of {len(exercise.hints)}: {hint}")


def _hint(options: argparse.Namespace, console: Console) -> int:
    workspace = Workspace.find(Path.cwd())
    show_hint(chosen(options, workspace), workspace, console)
    return 0


def _diff(options: argparse.Namespace, console: Console) -> int:
    workspace = Workspace.find(Path.cwd())
    exercise = chosen(options, workspace)
    text = file_of(exercise, workspace).read_text("utf-8", "replace")
    before, after = exercise.stub.splitlines(), text.splitlines()
    for line in difflib.unified_diff(before, after, "stub", exercise.file, lineterm=""):
        console.print(line, soft_wrap=True)
    return 0


def _reset(options: argparse.Namespace, console: Console) -> int:
    workspace = Workspace.find(Path.cwd())
    exercise = chosen(options, workspace)
    path = workspace.path(exercise)
    if path.exists():
        old = path.with_name(f"{path.name}.old")
        os.replace(path, old)
        console.print(f"your earlier file is in {printable(old)}", soft_wrap=True)
    workspace.reset(exercise)
    return 0


def _solution(options: argparse.Namespace, console: Console) -> int:
    workspace = Workspace.find(Path.cwd())
    exercise = chosen(options, workspace)
    if not workspace.passed(exercise):
        raise LookupError(
            f"{exercise.name} has not passed yet; ffi-cookbook learn hint {exercise.name} may help"
        )
    console.print(exercise.solution)
    for name, text in exercise.others():
        console.print(f"Also right: {name}\n\n{text}", soft_wrap=True)
    return 0


def _doctor(options: argparse.Namespace, console: Console) -> int:
    found = tools.report(console)
    try:
        Workspace.find(Path.cwd()).write_editor_files()
    except NoWorkspace:
        return found
    console.print("compile_commands.json, Cargo.toml and pyrightconfig.json are up to date")
    return found


def _results(options: argparse.Namespace, console: Console) -> int:
    verdicts = _all(Workspace.find(Path.cwd()))
    if options.json:
        print(json.dumps([verdict.json() for verdict in verdicts], indent=1))
    else:
        for verdict in verdicts:
            rule = verdict.finding.rule if verdict.finding else ""
            console.print(f"{verdict.status:6} {verdict.exercise:32} {rule}")
    return int(any(verdict.status != "pass" for verdict in verdicts))


def _grade(options: argparse.Namespace, console: Console) -> int:
    folders = sorted(_folders_of_lessons(options.folder))
    if not folders:
        raise LookupError(f"{options.folder} has no folder of lessons in it")
    marks = {}
    for folder in folders:
        name = str(folder.relative_to(options.folder))
        marks[name] = [verdict.json() for verdict in _all(Workspace(folder))]
        if not options.json:
            passed = sum(mark["status"] == "pass" for mark in marks[name])
            console.print(
                f"{passed:3} of {len(marks[name])} handed in, of {len(exercises())} "
                f"exercises  {printable(name)}",
                soft_wrap=True,
            )
            for mark in marks[name]:
                if mark["rule"] == "not-graded":
                    console.print(
                        f"    {mark['exercise']}: {printable(mark['message'])}", soft_wrap=True
                    )
    skipped = _without_lessons(options.folder, folders)
    for path in skipped:
        print(f"skipped: {printable(path)} has no {STATE}", file=sys.stderr)
    if options.json:
        print(json.dumps(marks, indent=1))
    refused = any(mark["rule"] == "not-graded" for each in marks.values() for mark in each)
    return int(bool(skipped) or refused)


def _folders_of_lessons(folder: Path) -> Iterator[Path]:
    """Yield the folders with a progress.txt; a link to a folder is not followed."""
    found = [str(folder)]
    while found:  # not by recursion: a learner can nest folders more deeply than Python calls
        here = found.pop()
        with contextlib.suppress(OSError):
            entries = list(os.scandir(here))
            if any(entry.name == STATE and entry.is_file() for entry in entries):
                yield Path(here)
            found += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]


def _without_lessons(folder: Path, found: list[Path]) -> list[Path]:
    """Return the folders of learners in which no folder of lessons was found."""
    if folder in found:  # it is a folder of lessons itself
        return []
    known = {path for each in found for path in (each, *each.parents)}
    entries = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    return [path for path in entries if path.is_dir() and path not in known]


def _all(workspace: Workspace) -> list[Verdict]:
    paths = ((exercise, workspace.path(exercise)) for exercise in exercises())
    return [
        attempt(exercise, path, workspace.folder)
        for exercise, path in paths
        if os.path.lexists(path)
    ]
