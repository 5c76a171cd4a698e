"""`ffi-cookbook learn`, as a learner and a teacher use it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bindings.__main__ import main
from lessons.catalogue import exercises
from lessons.workspace import Workspace

FIRST = exercises()[0]


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
    file_of(folder).write_bytes(FIRST.solution.read_bytes())


def test_from_the_stub_to_success(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", "run"]) == 1
    assert "FAIL" in capsys.readouterr().out
    assert main(["learn", "solution"]) == 2
    assert "has not passed yet" in capsys.readouterr().err
    solve(folder)
    assert main(["learn", "run"]) == 0
    shown = capsys.readouterr().out
    assert "PASS" in shown
    assert "ns a call" in shown
    assert FIRST.name in (folder / "progress.txt").read_text("utf-8")
    assert main(["learn", "solution", FIRST.name]) == 0
    assert FIRST.solution.read_text("utf-8").splitlines()[-1] in capsys.readouterr().out
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
    assert path.read_bytes() == FIRST.stub.read_bytes()
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
        lambda: path.symlink_to(FIRST.solution),
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
    monkeypatch.setattr("lessons.command.exercises", lambda: [FIRST])
    solve(folder)
    capsys.readouterr()
    assert main(["learn", "grade", str(folder.parent), "--json"]) == 0
    marks = json.loads(capsys.readouterr().out)
    assert [verdict["status"] for verdict in marks["lessons"]] == ["pass"]
    assert main(["learn", "results", "--json"]) == 0
    (verdict,) = json.loads(capsys.readouterr().out)
    assert verdict["version"] == 1
    assert len(verdict["sha256"]) == 64


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
    command = [sys.executable, "-P", "-m", "bindings", "learn", "watch", FIRST.name]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
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
