"""The pages of docs/existing-library are alike; tests/copied builds and attacks their projects."""

from __future__ import annotations

import re
from pathlib import Path

import projects
import pytest

PAGES = Path(__file__).parents[2] / "docs" / "existing-library"
SECTIONS = """
What you get
The files
Build and use
What bites
Who owns what
Read next
""".strip().split("\n")
LIBRARY = ("native/smooth.h", "native/smooth.c")
names = [path.stem for path in sorted(PAGES.glob("*.md"))]


@pytest.mark.parametrize("name", names)
def test_the_pages_are_alike(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text("utf-8")
    assert re.findall(r"^## (.*)", text, re.MULTILINE) == SECTIONS
    found, first = projects.files(PAGES / f"{name}.md"), projects.files(PAGES / f"{names[0]}.md")
    library = sum(len(found[path].splitlines()) for path in LIBRARY)
    assert len(text.splitlines()) - library <= 200
    assert all(found[path] == first[path] for path in LIBRARY), "all pages bind one library"
