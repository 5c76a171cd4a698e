"""The code of docs/tokenizer_use.md does what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from doors import door, needs

PAGE = Path(__file__).parents[1] / "docs" / "tokenizer_use.md"


def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("datasets")
    door("capi")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 6
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})
