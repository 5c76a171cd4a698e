"""The README's figures are those of the committed run, and its claims about the pages hold."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import ffi_cookbook
from ffi_cookbook.__main__ import COMMANDS
from support.backends import binding

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SOURCES = {".py", ".c", ".h", ".cpp", ".hpp", ".pyx", ".pxd", ".rs"}


def pages(folder: str) -> list[Path]:
    return [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SOURCES]


def test_the_numbers_are_those_of_the_committed_run() -> None:
    splice = [sys.executable, str(ROOT / "benchmarks"), "pages", "--check"]
    assert subprocess.run(splice, check=False).returncode == 0, "run: python -m benchmarks pages"


def test_no_handwritten_sentence_compares_costs() -> None:
    """Which binding is cheaper depends on the run, so no hand-written sentence may say it."""
    by_hand = re.sub(
        r"<!-- (\w+): begin.*?<!-- \1: end -->", "", README.read_text("utf-8"), flags=re.DOTALL
    )
    claim = r"costs? (?:less|more|least|most)|lowest|cheapest|quickest|fastest|slow at"
    assert not [line for line in by_hand.split("\n") if re.search(claim, line)]


def test_the_code_runs_as_pasted(tmp_path: Path) -> None:
    """Each code block runs by itself, in an empty folder, with only the installed packages."""
    blocks = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert blocks
    binding("nanobind")
    for number, block in enumerate(blocks):
        (folder := tmp_path / str(number)).mkdir()
        command = [sys.executable, "-P", "-W", "error", "-c", block]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_commands_are_there() -> None:
    """The sessions, folders and options that the README names exist."""
    text = README.read_text("utf-8")
    sessions = "".join(
        (ROOT / name).read_text("utf-8") for name in ("noxfile.py", "tools/long_sessions.py")
    )
    for session in re.findall(r"nox -s (\w+)", text):
        assert f"def {session}(" in sessions, session
    for folder in re.findall(r"pip install (?:-\S+ )*(\.\S*)", text):
        assert (ROOT / folder.rstrip("`.,") / "pyproject.toml").exists() or folder.startswith(".`")
    for command in re.findall(r"ffi-cookbook (\w+)", text):
        assert command in COMMANDS, command


def test_the_kernels_know_nothing_of_python() -> None:
    for path in pages("c_src"):
        assert "Python.h" not in path.read_text("utf-8"), path


def test_every_backend_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in text or f"| {name} |" in text for name in ffi_cookbook.names())
