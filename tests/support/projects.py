"""The projects of pages under docs/: written into a folder, built and used."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from backends import missing

FILE = re.compile(
    r"^(?:### )?`([^`\n]+)`\n(?:\n|<!--[^\n]*\n)*```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
USE = re.compile(r"^## Build and use\n.*?^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def files(page: Path) -> dict[str, str]:
    """Return the files of a page: each code block below a line or heading with its path alone."""
    return dict(FILE.findall(page.read_text("utf-8")))


def use(page: Path) -> str:
    """Return the program that the page runs with the built package."""
    found = USE.search(page.read_text("utf-8"))
    assert found, f"{page.name} has no program under 'Build and use'"
    return found[1]


def first_program(page: Path) -> str:
    """Return the first code block in Python of a page."""
    found = re.search(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found, f"{page.name} has no program"
    return found[1]


def require(*requirements: str) -> None:
    """Report the test as one that cannot run here if a requirement is not installed."""
    for requirement in requirements:
        name = re.split(r"[<>=~! ;\[]", requirement)[0]
        try:
            version(name)
        except PackageNotFoundError:
            missing(f"the package {name}")


def write(project: dict[str, str], folder: Path) -> None:
    """Write the files of a project into a folder."""
    for name, text in project.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def install(project: dict[str, str], folder: Path) -> Path:
    """Write a project into an empty folder, build it, and return the folder of the installation.

    The build uses the packages that are installed here.
    """
    source, site = folder / "project", folder / "site"
    write(project, source)
    build = tomllib.loads(project["pyproject.toml"])["build-system"]
    require(*build["requires"])
    pip = ["uv", "pip", "install", "--python", sys.executable]
    if shutil.which("uv") is None:
        pip = [sys.executable, "-m", "pip", "install"]
    command = [*pip, "--no-build-isolation", "--no-deps", "--target", str(site), "."]
    done = run(command, source, CARGO_TARGET_DIR=str(folder.parent / "cargo"))
    assert done.returncode == 0, done.stdout + done.stderr
    return site


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with the programs of this environment on the path."""
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": scripts, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
