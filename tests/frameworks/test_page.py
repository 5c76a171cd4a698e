"""The programs of docs/frameworks.md, which assert that resuming is exact."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"


def test_the_programs_run(tmp_path: Path) -> None:
    """Run them as one program in a process of their own: the frameworks set much of it."""
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(programs) == 5
    (tmp_path / "page.py").write_text("\n".join(programs))
    done = subprocess.run(
        [sys.executable, "-P", "page.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
