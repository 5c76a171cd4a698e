"""The folder in which a learner works: files to edit, texts to read, and the progress.

`progress.txt` holds the state as plain text, a line for each exercise that was passed or for which
hints were shown.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import sysconfig
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from ffi_cookbook.files import NewFile

from .building.compiled import python_flags
from .building.job import BuildError
from .building.pyo3 import CRATES
from .building.templates import include_flags
from .building.torch import torch_flags
from .catalogue import Exercise, chapters, exercises, plain
from .drawing import figures

DOCS = Path(__file__).parents[1] / "docs"
"""The project's pages, which are there in a clone but not in an installed package."""
LINK = re.compile(r"\[([^]]*)\]\(\.\./\.\./\.\./([^)]*)\)")
"""A link from the text of a chapter to a page or a folder of the project."""
STATE = "progress.txt"
HEAD = (
    "# ffi-cookbook lessons: exercise, hints shown, when passed, SHA-256 of the file that passed\n"
)


class NoWorkspace(LookupError):
    """There is no folder of lessons here."""


@dataclass
class Progress:
    """The progress in one exercise."""

    hints: int = 0
    passed: str = ""
    """When the exercise was passed, as ISO 8601 has it; empty if it was not."""
    sha256: str = ""


@dataclass
class Workspace:
    """A learner's folder."""

    folder: Path
    progress: dict[str, Progress] = field(default_factory=dict)

    @classmethod
    def find(cls, start: Path) -> Workspace:
        """Return the workspace in which a folder lies; raise NoWorkspace if there is none."""
        for folder in (start.resolve(), *start.resolve().parents):
            if (folder / STATE).is_file():
                return cls(folder, _read(folder / STATE))
        raise NoWorkspace(
            f"{start.resolve()} is not in a folder of lessons; ffi-cookbook learn init makes one"
        )

    @classmethod
    def create(cls, folder: Path) -> Workspace:
        """Make a folder of lessons, or add what is absent to one; no file of the learner's changes.

        Raises:
            ValueError: The folder has other files, or a file has its name.
        """
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"{folder} is a file: choose a new folder")
        if folder.exists() and not (folder / STATE).exists() and any(folder.iterdir()):
            raise ValueError(f"{folder} has files that are not lessons: choose a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        workspace = cls(folder.resolve(), _read(folder / STATE))
        for chapter in chapters():
            place = workspace.folder / chapter.folder.name
            place.mkdir(exist_ok=True)
            text = linked(chapter.text.read_text("utf-8"), place)
            (place / chapter.text.name).write_text(text, "utf-8")
            for name, figure in figures(chapter.folder).items():
                (place / name).write_text(figure, "utf-8")
        for exercise in exercises():
            if not workspace.path(exercise).exists():
                workspace.reset(exercise)
        workspace.write_editor_files()
        workspace.save()
        return workspace

    def path(self, exercise: Exercise) -> Path:
        """Return the learner's file of an exercise."""
        chapter = exercise.folder.parent.name
        return self.folder / chapter / exercise.folder.name / exercise.file

    def reset(self, exercise: Exercise) -> None:
        """Write the exercise's stub, and the files that are given with it."""
        place = self.path(exercise).parent
        place.mkdir(parents=True, exist_ok=True)
        (place / exercise.file).write_text(exercise.stub, "utf-8")
        for path in exercise.given:
            shutil.copyfile(path, place / path.name)

    def state(self, exercise: Exercise) -> Progress:
        """Return the progress in an exercise."""
        return self.progress.setdefault(exercise.name, Progress())

    def passed(self, exercise: Exercise) -> bool:
        """Return True if the exercise was passed once."""
        return bool(self.state(exercise).passed)

    def current(self) -> Exercise | None:
        """Return the next exercise after the one that was passed last, or None if all have been."""
        passed = filter(self.passed, exercises())
        latest = sorted(passed, key=lambda each: self.state(each).passed)[-1:]
        return self.following(latest[0] if latest else exercises()[-1])

    def following(self, exercise: Exercise) -> Exercise | None:
        """Return the next exercise that was not passed; the first one comes after the last."""
        order = exercises()
        start = order.index(exercise) + 1
        return next((each for each in order[start:] + order[:start] if not self.passed(each)), None)

    def note(self, exercise: Exercise, sha256: str) -> None:
        """Remember that the exercise was passed by the file of that hash."""
        state = self.state(exercise)
        state.passed = datetime.now(UTC).isoformat(timespec="seconds")
        state.sha256 = sha256
        self.save()

    def save(self) -> None:
        """Write the state."""
        lines = [
            f"{name} {state.hints} {state.passed or '-'} {state.sha256 or '-'}\n"
            for name, state in self.progress.items()
            if state.hints or state.passed
        ]
        with NewFile(self.folder / STATE) as file:
            file.write((HEAD + "".join(lines)).encode())

    def write_editor_files(self) -> None:
        """Write the settings with which an editor's language server checks the exercises."""
        compilers = {"c": ("cc", "-std=gnu17"), "cpp": ("c++", "-std=c++20")}
        commands = []
        examples = ""
        for exercise in exercises():
            path = self.path(exercise)
            if path.suffix[1:] in compilers:
                headers = [*python_flags(), *include_flags(exercise.kind)]
                if exercise.kind == "torch":
                    with suppress(BuildError):  # it is not installed
                        headers = torch_flags()
                arguments = [*compilers[path.suffix[1:]], "-Wall", *headers, "-c", path.name]
                entry = {"directory": str(path.parent), "file": path.name, "arguments": arguments}
                commands.append(entry)
            elif path.suffix == ".rs":
                place = path.relative_to(self.folder).as_posix()
                examples += f'\n[[example]]\nname = "{plain(path.parent.name)}"\npath = "{place}"\n'
                examples += 'crate-type = ["cdylib"]\n'
        for name, content in (
            ("compile_commands.json", commands),
            (
                "pyrightconfig.json",
                {
                    "venvPath": str(Path(sys.prefix).parent),
                    "venv": Path(sys.prefix).name,
                    "pythonVersion": sysconfig.get_python_version(),
                },
            ),
        ):
            (self.folder / name).write_text(json.dumps(content, indent=1) + "\n", "utf-8")
        package = (CRATES / "Cargo.toml").read_text("utf-8").split("\n\n", 1)[1]
        package = package.replace('[lib]\npath = "empty.rs"\n\n', "")
        (self.folder / "Cargo.toml").write_text(package + examples, "utf-8")


def linked(text: str, place: Path) -> str:
    """Return a chapter's text with links that work in the folder `place`.

    Where the project's files are absent, only the words of a link to one remain.
    """
    if not (DOCS / "lessons.md").is_file():
        return LINK.sub(r"\1", text)
    root = quote(os.path.relpath(DOCS.parent, place))
    return LINK.sub(lambda link: f"[{link[1]}]({root}/{link[2]})", text)


def _read(path: Path) -> dict[str, Progress]:
    found: dict[str, Progress] = {}
    if not path.exists():
        return found
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        try:
            name, hints, passed, sha256 = line.split()
            state = Progress(int(hints), passed.strip("-"), sha256.strip("-"))
        except ValueError:
            raise ValueError(f"{path}:{number} is not a line of progress: {line!r:.80}") from None
        found[name] = state
    return found
