"""The pages of docs/existing-library are projects that build and give right answers."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import projects
import pytest
from backends import missing

PAGES = Path(__file__).parents[2] / "docs" / "existing-library"
CHECKS = Path(__file__).parent / "existing_library"
QUICK = ("ctypes", "cffi")  # these build in seconds; the others are for the full run
SECTIONS = """
What you get
The files
Build and use
What bites
Who owns what
Read next
""".strip().split("\n")
LIBRARY = ("native/smooth.h", "native/smooth.c")
WHEELS = {"ctypes": "py3-none-", "torch": "py3-none-", "cffi": "cp311-abi3-"}
CYCLE = """
import gc, sys, weakref, smooth
smooth.kept = smooth.Average(0.5)
kind = weakref.ref(smooth.Average)
del smooth, sys.modules["smooth"]
gc.collect()
print("leaked" if kind() else "freed")
"""
"""An instance that the module can reach."""
names = [path.stem for path in sorted(PAGES.glob("*.md"))]


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in names],
)
def test_the_project_of_the_page_works(name: str, tmp_path: Path) -> None:
    page = PAGES / f"{name}.md"
    for command in {"pyo3": ["cargo"]}.get(name, ["cc"]):
        if shutil.which(command) is None:
            missing(f"the command {command}, for {page.name}")
    site = projects.install(projects.files(page), tmp_path)
    (wheel,) = site.glob("smooth-*.dist-info/WHEEL")
    own = f"cp{sys.version_info.major}{sys.version_info.minor}-"
    assert f"\nTag: {WHEELS.get(name, own)}" in wheel.read_text("utf-8")
    program = projects.use(page)
    python = [sys.executable, "-P", "-X", "dev", "-W", "error"]
    done = projects.run([*python, "-c", program], tmp_path, PYTHONPATH=str(site))
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)  # (.*)", program)
    assert done.stderr.splitlines()[-1] == program.splitlines()[-1].split("  # ")[1]
    check = CHECKS / ("tensors.py" if name == "torch" else "arrays.py")
    done = projects.run([*python, str(check)], tmp_path, PYTHONPATH=str(site))
    assert done.stdout == "right\n", done.stderr
    if name == "capi":
        done = projects.run([*python, "-c", CYCLE], tmp_path, PYTHONPATH=str(site))
        assert done.stdout == "freed\n", done.stderr


@pytest.mark.parametrize("name", names)
def test_the_pages_are_alike(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text("utf-8")
    assert re.findall(r"^## (.*)", text, re.MULTILINE) == SECTIONS
    found, first = projects.files(PAGES / f"{name}.md"), projects.files(PAGES / f"{names[0]}.md")
    library = sum(len(found[path].splitlines()) for path in LIBRARY)
    assert len(text.splitlines()) - library <= 200
    assert all(found[path] == first[path] for path in LIBRARY), "all pages bind one library"
