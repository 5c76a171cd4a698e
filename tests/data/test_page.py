"""The programs of docs/data-loading.md run, one after the other, in an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from backends import needs

PAGE = Path(__file__).parents[2] / "docs" / "data-loading.md"


def test_the_programs_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("torch")
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(found) == 4
    exec(compile("\n".join(found), PAGE.name, "exec"), {})
