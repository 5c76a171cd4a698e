"""The programs of docs/frameworks.md, which assert that resuming is exact."""

from __future__ import annotations

import re
from pathlib import Path

from support.processes import run_python

PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"


def test_the_programs_run(tmp_path: Path) -> None:
    """Run them as one program in a process of their own: the frameworks set much of it."""
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(programs) == 5
    (tmp_path / "page.py").write_text("\n".join(programs))
    run_python("page.py", cwd=tmp_path, seconds=900)
