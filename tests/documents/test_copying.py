"""A reader who copies the code of docs/patterns gets a project that builds and is right."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from pathlib import Path

import copying
import numpy as np
import projects
import pytest
from backends import missing

ROOT = Path(__file__).parents[2]
CHECK = Path(__file__).parent / "copied" / "check.py"
MANY_CALLS = CHECK.with_name("many_calls.py")
OWN_CHECK = CHECK.with_name("own_function.py")
QUICK = ("ctypes", "cffi")  # these build in seconds; the others are for the full run
SLOW = [name for name in copying.TECHNOLOGIES if name not in QUICK]
technologies = pytest.mark.parametrize(
    "technology", [*QUICK, *(pytest.param(name, marks=pytest.mark.full) for name in SLOW)]
)


@technologies
@pytest.mark.parametrize("variant", ["", "idiomatic"])
def test_the_patterns_are_copied_into_a_project(
    technology: str, variant: str, tmp_path: Path
) -> None:
    require(technology)
    patterns = copying.blocks(technology, variant)
    project = copying.project(technology, patterns, variant)
    if "callback" in patterns:
        project = copying.calling_thrice(project)
    site = projects.install(project, tmp_path)
    python = [sys.executable, "-P", "-X", "dev", "-W", "error"]
    rows = [f"{row}:{home}" for row, home in copying.homes().items() if home in patterns]
    assert len(rows) == 42 or variant
    junk = "junk" if not variant else ""  # an idiomatic variant may let anything pass
    command = [*python, str(CHECK), str(ROOT), junk, *rows]
    done = projects.run(command, tmp_path, PYTHONPATH=str(site))
    assert done.stdout == "right\n", done.stdout + done.stderr
    if "callback" in patterns:
        done = projects.run([*python, str(MANY_CALLS)], tmp_path, PYTHONPATH=str(site))
        assert done.stdout == "right\n", done.stdout + done.stderr


@pytest.mark.full
@pytest.mark.parametrize("variant", ["", "idiomatic"])
def test_a_pattern_includes_the_helpers_that_it_uses(variant: str, tmp_path: Path) -> None:
    """This runs in C, which compiles fast; elsewhere the project of all patterns must do."""
    require("capi")
    include = [f"-I{folder}" for folder in (sysconfig.get_path("include"), np.get_include())]
    flags = ["-fsyntax-only", "-Werror=implicit", *include, "-Inative", "-Isrc", "src/native.c"]
    for pattern, own in copying.blocks("capi", variant).items():
        projects.write(copying.project("capi", {pattern: own}, variant), tmp_path)
        done = projects.run(["cc", *flags], tmp_path)
        assert done.returncode == 0, f"{pattern}: {done.stderr}"


@technologies
def test_a_function_of_ones_own(technology: str, tmp_path: Path) -> None:
    require(technology)
    site = projects.install(copying.own_project(technology), tmp_path)
    program = projects.first_program(copying.OWN)
    python = [sys.executable, "-P", "-X", "dev", "-W", "error"]
    done = projects.run([*python, "-c", program], tmp_path, PYTHONPATH=str(site))
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)  # (.*)", program), done.stderr
    assert done.stderr.splitlines()[-1] == program.splitlines()[-1].split("  # ")[1]
    done = projects.run([*python, str(OWN_CHECK)], tmp_path, PYTHONPATH=str(site))
    assert done.stdout == "right\n", done.stderr


def require(technology: str) -> None:
    command = "cargo" if technology == "pyo3" else "cc"
    if shutil.which(command) is None:
        missing(f"the command {command}, for the patterns through {technology}")
