"""The chapters and exercises, read from their files.

The stub that a learner starts from is cut from our solution, which has markers in its comments:
what stands between `# BEGIN SOLUTION` and `# END SOLUTION` is not in the stub, and a line that
begins with `#:` is in the stub alone. C, C++, CUDA and Rust have `//` in place of `#`.
"""

from __future__ import annotations

import re
import tomllib
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import util
from pathlib import Path
from typing import Any

CHAPTERS = Path(__file__).parent / "chapters"
MARKER = re.compile(r" *(?:#|//) (BEGIN|END) SOLUTION")
STUB_LINE = re.compile(r"( *)(?:#|//):(?: (.*))?")


@dataclass(frozen=True)
class Exercise:
    """One exercise: a folder with exercise.toml, the solution, and check.py."""

    folder: Path

    @property
    def name(self) -> str:
        """Return the name that the command line takes, such as `c_api/scale`."""
        return f"{plain(self.folder.parent.name)}/{plain(self.folder.name)}"

    @cached_property
    def about(self) -> dict[str, Any]:
        """Return the content of exercise.toml."""
        return tomllib.loads((self.folder / "exercise.toml").read_text("utf-8"))

    @property
    def title(self) -> str:
        """Return the task in one line."""
        return str(self.about["title"])

    @property
    def kind(self) -> str:
        """Return the name of the builder."""
        return str(self.about["kind"])

    @property
    def hints(self) -> list[str]:
        """Return three hints, from a nudge to nearly the answer."""
        return list(self.about["hints"])

    @property
    def source(self) -> Path:
        """Return the file with our solution and the markers."""
        return next(self.folder.glob("solution.*"))

    @property
    def file(self) -> str:
        """Return the name of the file that a learner edits."""
        return f"exercise{self.source.suffix}"

    @property
    def stub(self) -> str:
        """Return the text that a learner starts from."""
        return cut(self.source.read_text("utf-8"))[0]

    @property
    def solution(self) -> str:
        """Return our solution, without the markers."""
        return cut(self.source.read_text("utf-8"))[1]

    @property
    def given(self) -> tuple[Path, ...]:
        """Return the files that the learner's file may use."""
        return tuple(self.folder / name for name in self.about.get("given", ()))

    def others(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of each right solution of another shape."""
        for name, edits in self.about.get("right", {}).items():
            yield name, self._edited(edits)
        for path in sorted(self.folder.glob("right/*")):
            yield path.stem.replace("_", " "), path.read_text("utf-8")

    def planted(self) -> Iterator[tuple[str, set[str], str]]:
        """Yield the name, the rules and the text of each solution with a planted fault.

        A fault that depends on the contents of memory may break one rule or another.
        """
        for rules, faults in self.about["wrong"].items():
            for name, fault in faults.items():
                if isinstance(fault, str):
                    text = (self.folder / "wrong" / fault).read_text("utf-8")
                else:
                    text = self._edited(fault)
                yield name, set(rules.split(" or ")), text

    def _edited(self, edits: list[list[str]]) -> str:
        """Return the solution with edits: texts that occur once in it, and those in their place."""
        text = self.solution
        for old, new in edits:
            if text.count(old) != 1:
                raise ValueError(f"{self.name}: {old!r} does not occur once in the solution")
            text = text.replace(old, new)
        return text

    def check(self) -> types.ModuleType:
        """Return the module check.py, loaded anew."""
        path = self.folder / "check.py"
        spec = util.spec_from_file_location(f"lessons_check_{self.folder.name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


@dataclass(frozen=True)
class Chapter:
    """One chapter: a folder with a text and exercises."""

    folder: Path

    @property
    def name(self) -> str:
        """Return the name that the command line takes."""
        return plain(self.folder.name)

    @property
    def text(self) -> Path:
        """Return the file with the chapter's text."""
        return self.folder / "README.md"

    @property
    def title(self) -> str:
        """Return the heading of the text."""
        return self.text.read_text("utf-8").split("\n", 1)[0].lstrip("# ")

    @cached_property
    def exercises(self) -> list[Exercise]:
        """Return the exercises in their order."""
        return [Exercise(path.parent) for path in sorted(self.folder.glob("*/exercise.toml"))]


def cut(text: str) -> tuple[str, str]:
    """Return the stub and the solution of a text with markers."""
    stub, solution, inside = [], [], False
    for line in text.splitlines():
        if marker := MARKER.fullmatch(line):
            if inside == (marker[1] == "BEGIN"):
                raise ValueError(f"{marker[0].strip()} stands at a wrong place")
            inside = not inside
        elif alone := STUB_LINE.fullmatch(line):
            stub.append(alone[1] + alone[2] if alone[2] else "")
        else:
            solution.append(line)
            if not inside:
                stub.append(line)
    # A formatter wants blank lines on both sides of a marker between two functions.
    shown = re.sub(r"\n{4,}", "\n\n\n", "\n".join(solution)).rstrip("\n")
    return "\n".join(stub) + "\n", shown + "\n"


def plain(name: str) -> str:
    """Return the name of a folder without its number."""
    return name.split("_", 1)[1]


def chapters() -> list[Chapter]:
    """Return all chapters in their order."""
    return [Chapter(path.parent) for path in sorted(CHAPTERS.glob("*/README.md"))]


def exercises() -> list[Exercise]:
    """Return all exercises in their order."""
    return [exercise for chapter in chapters() for exercise in chapter.exercises]


def find(name: str) -> Exercise:
    """Return the exercise of that name; raise LookupError with the nearest names if none has it."""
    import difflib

    known = {exercise.name: exercise for exercise in exercises()}
    known.update({name.split("/")[1]: known[name] for name in list(known)})
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=3)
    raise LookupError(
        f"no exercise is called {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
    )
