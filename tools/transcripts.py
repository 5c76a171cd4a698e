"""Play the transcripts of docs/transcripts again, and write what the commands print.

    python tools/transcripts.py [NAME...]

The `ffi-cookbook` on the path runs, as a learner has installed it. What a learner types into a file
stands in a comment before a block of commands, as the name of a planted fault of exercise.toml, as
`stub` or as `solution`:

    <!-- cpp/min_max: starts from 0 -->

Only what the commands print is replaced. Long output is shortened; a place where … stands had more.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ffi_cookbook_lessons.catalogue import Exercise, find

ROOT = Path(__file__).parents[1]

PAGES = ROOT / "docs" / "transcripts"
WRITTEN = re.compile(r"^<!-- (\S+/\S+): (.+) -->$", re.MULTILINE)
LINES, COLUMNS = 8, 110


def text_of(exercise: Exercise, what: str) -> str:
    """Return what a learner has written: the stub, our solution, or that with a planted fault."""
    known = {name: text for name, _, text in exercise.planted()}
    known["stub"] = exercise.stub
    known["solution"] = exercise.solution
    return known[what]


def played(page: Path) -> tuple[list[tuple[str, str]], list[str]]:
    """Return what the page's exercises hold at each `learn run`, and the lines printed first."""
    held: dict[str, str] = {}
    runs, printed = [], []
    lines = page.read_text("utf-8").splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if found := WRITTEN.match(line):
            held[found[1]] = found[2]
        elif found := re.match(r"^\$ ffi-cookbook learn run (\S+)$", line):
            runs.append((found[1], held.get(found[1], "stub")))
            printed.append(following)
    return runs, printed


def shortened(text: str) -> Iterator[str]:
    """Yield the first lines of an output, without what makes them long."""
    lines = [line.rstrip() for line in text.strip("\n").splitlines()]
    for line in lines[:LINES]:
        yield line if len(line) <= COLUMNS else f"{line[: COLUMNS - 2]} …"
    if len(lines) > LINES:
        yield "…"


class Learner:
    """Somebody who works in a new folder."""

    def __init__(self, home: Path) -> None:
        self.home, self.place = home, home
        self.variables = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}

    def write(self, exercise: Exercise, what: str) -> None:
        """Write into the file of an exercise."""
        folder = self.home / "ffi-lessons" / exercise.folder.parent.name / exercise.folder.name
        (folder / exercise.file).write_text(text_of(exercise, what), "utf-8")

    def run(self, command: str) -> Iterator[str]:
        """Run a command of the shell and yield the lines it prints."""
        done = subprocess.run(
            ["bash", "-c", f"{command}; echo; pwd"], cwd=self.place, env=self.variables,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        printed, _, place = done.stdout.rstrip("\n").rpartition("\n")
        self.place = Path(place)
        yield from shortened(printed.replace(f"{self.home}/", "~/"))


def play(page: Path) -> None:
    """Run the commands of a page, and write what they print."""
    with tempfile.TemporaryDirectory() as home:
        learner = Learner(Path(home).resolve())
        lines: list[str] = []
        inside = False
        for line in page.read_text("utf-8").splitlines():
            if line.startswith("```"):
                inside = line == "```console"
            if found := WRITTEN.match(line):
                learner.write(find(found[1]), found[2])
            if not inside or line.startswith("```"):
                lines.append(line)
            elif line.startswith("$ "):
                print(line, flush=True)
                lines += [line, *learner.run(line[2:])]
        page.write_text("\n".join(lines) + "\n", "utf-8")


def main() -> None:
    """Play the pages that are named, or all that say what a learner writes."""
    for page in sorted(PAGES.glob("*.md")):
        marked = WRITTEN.search(page.read_text("utf-8"))
        if marked and (not sys.argv[1:] or page.stem in sys.argv[1:]):
            play(page)


if __name__ == "__main__":
    main()
