"""`ffi-cookbook learn`, as a learner and a teacher use it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from ffi_cookbook.__main__ import main
from ffi_cookbook_lessons import watching, workspace
from ffi_cookbook_lessons.catalogue import CHAPTERS, Exercise, exercises, find
from ffi_cookbook_lessons.process import Limits
from ffi_cookbook_lessons.workspace import Workspace

FIRST = exercises()[0]
ROOT = Path(__file__).parents[2]
CODE = re.compile(r"^```.*?^```|`[^`]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of lessons, in which the test runs."""
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["learn", "init", str(tmp_path / "lessons")]) == 0
    monkeypatch.chdir(tmp_path / "lessons")
    return tmp_path / "lessons"


def file_of(folder: Path) -> Path:
    """Return the learner's file of the first exercise."""
    return Workspace.find(folder).path(FIRST)


def solve(folder: Path) -> None:
    """Write our solution into the learner's file."""
    file_of(folder).write_bytes(FIRST.solution.encode())


def test_from_the_stub_to_success(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "run"]) == 1
    assert "FAIL" in capsys.readouterr().out
    assert main(["learn", "solution"]) == 2
    assert "has not passed yet" in capsys.readouterr().err
    solve(folder)
    assert main(["learn", "run"]) == 0
    shown = capsys.readouterr().out
    assert "PASS" in shown
    assert re.search(r"^What .* costs$", shown, re.MULTILINE)
    assert "ns a call" in shown
    assert FIRST.name in (folder / "progress.txt").read_text("utf-8")
    assert main(["learn", "solution", FIRST.name]) == 0
    assert FIRST.solution.splitlines()[-1] in capsys.readouterr().out
    assert main(["learn", "list"]) == 0
    assert f"passed  {FIRST.name}" in capsys.readouterr().out


def test_three_hints_one_at_a_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2, 3, 3):
        assert main(["learn", "hint"]) == 0
        shown = capsys.readouterr().out
        assert shown.count(" of 3: ") == number


def test_a_reset_keeps_what_was_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of(folder)
    path.write_text("mine", "utf-8")
    assert main(["learn", "reset"]) == 0
    assert path.read_bytes() == FIRST.stub.encode()
    assert path.with_name(f"{path.name}.old").read_text("utf-8") == "mine"
    assert main(["learn", "diff"]) == 0
    capsys.readouterr()
    path.write_text(path.read_text("utf-8") + "/* more */\n", "utf-8")
    assert main(["learn", "diff"]) == 0
    assert "+/* more */" in capsys.readouterr().out


def test_init_again_changes_no_file_of_the_learner(folder: Path) -> None:
    file_of(folder).write_text("mine", "utf-8")
    assert main(["learn", "init", str(folder)]) == 0
    assert file_of(folder).read_text("utf-8") == "mine"


@pytest.mark.parametrize("installed", [False, True])
def test_no_link_of_a_new_folder_is_dead(
    installed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clone the links lead to its pages; an installed package has none."""
    docs = tmp_path / "none" if installed else ROOT / "docs"
    monkeypatch.setattr(workspace, "DOCS", docs)
    assert main(["learn", "init", str(tmp_path / "a folder")]) == 0
    links = {
        path: LINK.findall(CODE.sub("", path.read_text("utf-8")))
        for path in tmp_path.glob("*/*/README.md")
    }
    assert len(links) == len({each.folder.parent for each in exercises()})
    for path, targets in links.items():
        for target in targets:
            assert path.parent.joinpath(unquote(target)).exists(), f"{path}: {target}"
    pages = {Path(target).parent.name for targets in links.values() for target in targets}
    assert ("docs" in pages) != installed


def test_the_texts_make_folders_that_a_clone_does_not_have() -> None:
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for name in re.findall(r"ffi-cookbook learn init ([\w./~-]+)", path.read_text("utf-8")):
            folder = ROOT / name
            assert not folder.exists() or (folder / workspace.STATE).exists(), f"{path}: {name}"


def test_the_next_exercise_comes_after_the_one_that_was_passed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = exercises()
    lessons = Workspace.find(folder)
    assert lessons.current() == FIRST
    lessons.note(find("cython/hash"), "0" * 64)
    assert lessons.current() == find("cython/dot")
    assert main(["learn", "list"]) == 0
    assert ">         cython/dot" in capsys.readouterr().out
    lessons.note(order[-1], "0" * 64)
    assert lessons.following(order[-1]) == FIRST
    for exercise in order[1:]:
        lessons.note(exercise, "0" * 64)
    assert lessons.following(FIRST) == lessons.current() == FIRST
    lessons.note(FIRST, "0" * 64)
    assert lessons.following(FIRST) is None


def test_the_keys_of_a_watch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key r checks again, n goes on even if nothing has passed, and a save chooses its file."""
    checked: list[str] = []
    lessons = Workspace.find(folder)
    saves: list[set[tuple[int, str]]] = [set(), set(), {(2, str(lessons.path(FIRST)))}, set()]

    @contextlib.contextmanager
    def keyboard() -> Iterator[Callable[[], str]]:
        yield iter(["r", "n", "", "q"]).__next__

    def check(exercise: Exercise, *_: object) -> None:
        checked.append(exercise.name)

    monkeypatch.setattr(watching, "keyboard", keyboard)
    monkeypatch.setattr(watching, "check", check)
    monkeypatch.setattr("watchfiles.watch", lambda *_, **__: iter(saves))
    assert main(["learn", "watch", "cython/hash"]) == 0
    assert checked == ["cython/hash", "cython/hash", "cython/dot", FIRST.name]


def test_files_that_cannot_be_used_are_named(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "none")
    file_of(folder).unlink()
    for arguments, message in (
        (["init", str(tmp_path / "file")], f"{tmp_path / 'file'} is a file: choose a new folder"),
        (["init", str(tmp_path / "file" / "new")], f"{tmp_path / 'file' / 'new'}: Not a directory"),
        (["init", str(tmp_path / "dangling")], f"{tmp_path / 'dangling'}: File exists"),
        (["diff", FIRST.name], f"{file_of(folder)} does not exist"),
    ):
        assert main(["learn", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_the_page_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "--help"]) == 0
    found = re.search(r"\{([\w,]+)\}", capsys.readouterr().out)
    assert found is not None
    page = (ROOT / "docs" / "lessons.md").read_text("utf-8")
    for verb in found[1].split(","):
        assert f"`{verb}`" in page or f"ffi-cookbook learn {verb}" in page, verb


def test_the_texts_install_from_a_clone() -> None:
    """No version has been released, and the folders that the texts install exist."""
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        text = path.read_text("utf-8")
        assert not re.search(r"pip install [^\n]*ffi-cookbook(?!-)", text), path
        for folder in re.findall(r"pip install .*-e (\./\w+)", text):
            assert (ROOT / folder / "pyproject.toml").exists(), f"{path}: {folder}"


def test_the_distribution_has_every_file() -> None:
    """All of lessons/ but its pyproject.toml is in the package that is installed."""
    command = ["git", "ls-files", ":!pyproject.toml"]
    sources = subprocess.check_output(command, cwd=ROOT / "lessons", text=True).splitlines()
    assert [name for name in sources if not (CHAPTERS.parent / name).exists()] == []


def test_the_help_lists_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["learn", "--help"]):
        assert main(arguments) == 0
        assert "an exercise did not pass" in " ".join(capsys.readouterr().out.split())


def test_wrong_usage(tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["run", FIRST.name[:-1]], f"did you mean '{FIRST.name}'"),
        (["init", str(Path(__file__).parent)], "files that are not lessons"),
        (["grade", str(Path(__file__).parent)], "no folder of lessons"),
    ):
        assert main(["learn", *arguments]) == 2
        assert message in capsys.readouterr().err
    os.chdir(tmp_path)
    assert main(["learn", "run"]) == 2
    assert "learn init" in capsys.readouterr().err


def test_a_damaged_state_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "progress.txt").write_text("what is this\n", "utf-8")
    assert main(["learn", "list"]) == 2
    assert "progress.txt:1" in capsys.readouterr().err


def test_a_file_that_is_not_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = file_of(folder)
    changes: list[Callable[[], object]] = [
        lambda: os.mkfifo(path),
        lambda: path.symlink_to(FIRST.source),
        lambda: path.write_bytes(bytes(1 << 20)),
    ]
    for change in changes:
        path.unlink()
        change()
        assert main(["learn", "run"]) == 2
        assert str(path) in capsys.readouterr().err


def test_many_submissions(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ffi_cookbook_lessons.command.exercises", lambda: [FIRST])
    solve(folder)
    capsys.readouterr()
    assert main(["learn", "grade", str(folder.parent), "--json"]) == 0
    marks = json.loads(capsys.readouterr().out)
    assert [verdict["status"] for verdict in marks["lessons"]] == ["pass"]
    assert main(["learn", "results", "--json"]) == 0
    (verdict,) = json.loads(capsys.readouterr().out)
    assert verdict["version"] == 1
    empty = {name for name, value in verdict.items() if not value}
    assert empty <= {"rule", "sentence", "message", "line", "sandbox"}  # of a verdict that is good
    assert len(verdict["sha256"]) == 64


def test_what_cannot_be_graded_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ffi_cookbook_lessons.command.exercises", lambda: exercises()[:2])
    solve(folder)
    (folder / "progress.txt").write_text("what is this\n", "utf-8")
    Workspace(folder).path(exercises()[1]).unlink()
    for name, change in (
        ("link", lambda path: path.symlink_to(FIRST.source)),
        ("large", lambda path: path.write_bytes(bytes(1 << 20))),
        ("pipe", os.mkfifo),
    ):
        shutil.copytree(folder, folder.parent / name)
        path = Workspace(folder.parent / name).path(FIRST)
        path.unlink()
        change(path)
    (folder.parent / "nobody").mkdir()
    capsys.readouterr()
    assert main(["learn", "grade", str(folder.parent), "--json"]) == 1
    printed = capsys.readouterr()
    assert "nobody has no progress.txt" in printed.err
    marks = json.loads(printed.out)
    rules = {name: [verdict["rule"] for verdict in each] for name, each in marks.items()}
    refused = {name: ["not-graded"] for name in ("large", "link", "pipe")}
    assert rules == {"lessons": [None], **refused}
    assert main(["learn", "grade", str(folder.parent)]) == 1
    shown = capsys.readouterr().out
    assert "1 of 1 handed in, of 2 exercises  lessons" in shown
    assert "0 of 1 handed in, of 2 exercises  large" in shown
    assert "is longer than 262144 bytes" in shown


def test_no_name_ends_a_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name may look like markup or not be UTF-8, and folders nest more deeply than calls."""
    monkeypatch.setattr("ffi_cookbook_lessons.command.exercises", lambda: [FIRST])
    names = ["alice", "mallory[/b]", "[red]", "a:smile:", "\x1b[31m", os.fsdecode(b"\xff"), "zed"]
    for name in names:
        shutil.copytree(folder, folder.parent / name)
        Workspace(folder.parent / name).path(FIRST).write_bytes(bytes(1 << 20))
    deep = [str(folder.parent / "deep")]
    for _ in range(1200):
        os.mkdir(deep[-1])
        deep.append(f"{deep[-1]}/d")
    (folder.parent / "none[").mkdir()
    capsys.readouterr()
    try:
        assert main(["learn", "grade", str(folder.parent)]) == 1
    finally:
        for place in deep[-2::-1]:  # pytest could not remove them
            os.rmdir(place)
    printed = capsys.readouterr()
    graded = re.findall(r"1 handed in, of 1 exercises  (.*)", printed.out)
    shown = {"lessons", "alice", "mallory[/b]", "[red]", "a:smile:", r"\x1b[31m", r"\udcff", "zed"}
    assert set(graded) == shown
    assert printed.out.count("is longer than 262144 bytes") == len(names)
    assert "none[ has no progress.txt" in printed.err


def test_a_folder_that_is_a_link_is_not_graded(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link shows another learner's files, above the file as well as in its place."""
    monkeypatch.setattr("ffi_cookbook_lessons.command.exercises", lambda: [FIRST])
    solve(folder)
    for name, part in (("one", FIRST.folder.name), ("two", ".")):
        other = folder.parent / name
        shutil.copytree(folder, other)
        place = other / FIRST.folder.parent.name / part
        shutil.rmtree(place)
        place.symlink_to(folder / place.relative_to(other))
    (folder.parent / "three").symlink_to("lessons")
    capsys.readouterr()
    assert main(["learn", "grade", str(folder.parent), "--json"]) == 1
    marks = json.loads(capsys.readouterr().out)
    rules = {name: [verdict["rule"] for verdict in each] for name, each in marks.items()}
    assert rules == {"lessons": [None], "one": ["not-graded"], "two": ["not-graded"]}
    assert "is a link" in marks["two"][0]["message"]
    monkeypatch.chdir(folder.parent / "two")
    assert main(["learn", "run"]) == 2


def test_a_process_that_dies_while_it_is_measured(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ffi_cookbook_lessons.scorecard.Limits", lambda seconds: Limits(seconds=0))
    solve(folder)
    capsys.readouterr()
    assert main(["learn", "run"]) == 2
    printed = capsys.readouterr()
    assert "PASS" in printed.out
    assert "the scorecard could not be made: " in printed.err


def test_the_editor_files(folder: Path) -> None:
    for entry in json.loads((folder / "compile_commands.json").read_text("utf-8")):
        command = [*entry["arguments"], "-fsyntax-only"]
        done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is absent")
def test_the_package_of_the_rust_exercises(folder: Path) -> None:
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version=1"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (package,) = json.loads(done.stdout)["packages"]
    listed = {target["src_path"] for target in package["targets"]}
    files = {Workspace.find(folder).path(exercise) for exercise in exercises()}
    assert listed == {str(path) for path in files if path.suffix == ".rs"}


def test_watching(folder: Path) -> None:
    command = [sys.executable, "-P", "-m", "ffi_cookbook", "learn", "watch", FIRST.name]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        try:
            assert any("FAIL" in line for line in lines)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:  # a save before the watch begins is not seen
                solve(folder)
                time.sleep(1)
                if Workspace.find(folder).passed(FIRST):
                    break
            assert Workspace.find(folder).passed(FIRST)
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
        finally:
            process.kill()
