"""The projects of templates/, built and used."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from support.backends import missing

TEMPLATES = Path(__file__).parents[2] / "templates"
MADE = ("build", "target", "*.egg-info", "__pycache__", "Cargo.lock", "_native.c")
"""What a build of a template leaves beside its files."""
QUICKLY = {
    "CFLAGS": "-O0",
    "SKBUILD_CMAKE_BUILD_TYPE": "Debug",
    "SKBUILD_CMAKE_DEFINE": "CMAKE_C_FLAGS_DEBUG=-O0;CMAKE_CXX_FLAGS_DEBUG=-O0",
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
}
"""Settings of the tools with which they compile without optimising."""


def template(technology: str, folder: Path) -> Path:
    """Return a template in a copy of templates/, with its links as they stand there."""
    made = shutil.ignore_patterns(*MADE)
    for name in ("common", technology):
        shutil.copytree(TEMPLATES / name, folder / name, symlinks=True, ignore=made)
    return folder / technology


def read(folder: Path) -> dict[str, str]:
    """Return the files of a project, with those behind its links, without what was made there."""
    return {
        str((Path(place) / name).relative_to(folder)): (Path(place) / name).read_text("utf-8")
        for place, _, names in os.walk(folder, followlinks=True)
        for name in names
        if not name.endswith(".pyc")
    }


def name(requirement: str) -> str:
    """Return the package that a requirement names."""
    return re.split(r"[<>=~! ;\[]", requirement)[0]


def require(*requirements: str) -> None:
    """Report the test as one that cannot run here if a requirement is not installed."""
    for requirement in requirements:
        try:
            version(name(requirement))
        except PackageNotFoundError:
            missing(f"the package {name(requirement)}")


def write(project: dict[str, str], folder: Path) -> None:
    """Write the files of a project into a folder."""
    for name, text in project.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def settings(source: Path) -> dict[str, Any]:
    """Return what a project's pyproject.toml says."""
    return tomllib.loads((source / "pyproject.toml").read_text("utf-8"))


def build(source: Path, folder: Path) -> tuple[Path, Path]:
    """Return the sdist of a project and the wheel of the sdist, both in a folder.

    The builds use the packages that are installed here.
    """
    dist = folder / "dist"
    require(*settings(source)["build-system"]["requires"])
    command = ["uv", "build", "--no-build-isolation", "--python", sys.executable]
    command += ["--out-dir", str(dist), str(source)]
    done = run(command, folder, CARGO_TARGET_DIR=str(folder.parent / "cargo"), **QUICKLY)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(dist.glob("*.tar.gz")), next(dist.glob("*.whl"))


def installed(source: Path, wheel: Path, folder: Path) -> list[str]:
    """Install a wheel into an empty environment, and return the command that runs its Python.

    Its dependencies have the versions that are installed here. The tests need NumPy and pytest.
    Wheels with the same dependencies share the environment, whose modules are compiled once.
    """
    needed = settings(source)["project"]["dependencies"]
    names = {name(one) for one in needed} | {"numpy", "pytest"}
    pinned = [f"{one}=={version(one).partition('+')[0]}" for one in names]
    environment = folder.parent / "-".join(["with", *sorted(names)])
    python, own = environment / "bin" / "python", wheel.name.partition("-")[0]
    install = ["pip", "install", "--python", str(python), "--reinstall-package", own]
    for command in (
        ["venv", "--allow-existing", "--python", sys.executable, str(environment)],
        [*install, str(wheel), *pinned],
    ):
        done = run(["uv", *command], folder)
        assert done.returncode == 0, done.stderr
    return [str(python), "-P", "-X", "dev"]


def run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with the programs of this environment on the path."""
    scripts = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": scripts, **environment},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
