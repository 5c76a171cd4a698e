"""A file to build, and the compilers that build it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

SANITIZED = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SECONDS = 120


class BuildError(Exception):
    """The file could not be built: `line` is where, 0 if that is not known."""

    def __init__(self, message: str, line: int = 0, rule: str = "does-not-compile") -> None:
        super().__init__(message)
        self.message, self.line, self.rule = message, line, rule


@dataclass(frozen=True)
class Job:
    """A file to build, with the files that are given, into a folder."""

    source: Path
    given: tuple[Path, ...]
    folder: Path
    sanitized: bool
    """Build with AddressSanitizer and UndefinedBehaviorSanitizer."""

    @property
    def sources(self) -> list[Path]:
        """Return the C files that are given."""
        return [path for path in self.given if path.suffix == ".c"]

    def flags(self) -> list[str]:
        """Return the options of the C and C++ compilers for this job."""
        kind = SANITIZED if self.sanitized else ("-O2",)
        includes = [f"-I{folder}" for folder in {path.parent for path in self.given}]
        return [*kind, "-g", "-fPIC", "-shared", "-fno-omit-frame-pointer", "-Wall", *includes]


def tool(name: str, variable: str, hint: str) -> str:
    """Return the path of a compiler; raise BuildError with what to install if it is absent."""
    path = shutil.which(os.environ.get(variable) or name)
    if path is None:
        raise BuildError(f"{name} is not installed: {hint}", rule="missing-tool")
    return path


def run(job: Job, *command: str, variables: dict[str, str] | None = None) -> str:
    """Run a compiler and return what it printed; raise BuildError with its first error."""
    try:
        done = subprocess.run(
            command,
            cwd=job.folder,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(variables or {})},
            capture_output=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise BuildError(f"the compiler did not end within {SECONDS} seconds") from None
    text = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode:
        raise first_error(job.source, text)
    return text


def first_error(source: Path, text: str) -> BuildError:
    """Return the first error that a compiler printed, in the learner's file if there is one."""
    text = text.replace(str(source), source.name)
    place = rf"{re.escape(source.name)}:(\d+)(?::\d+)?: (?:fatal )?(?:error|[A-Z]\w*Error)"
    found = re.search(rf"{place}(?:\[E\d+\])?: (.*)", text) or re.search(
        rf"{re.escape(source.name)}:(\d+):\d+: ((?!warning|note).*)", text
    )
    if found:
        return BuildError(found[2].strip(), int(found[1]))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wrong = [line for line in lines if re.search(r"\berror\b|undefined|Error:", line)]
    return BuildError((wrong or lines[-1:] or ["the compiler failed"])[0][:400])
