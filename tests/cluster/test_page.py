"""The programs of docs/ray.md."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow.parquet as parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pytest
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]

PAGE = Path(__file__).parents[2] / "docs" / "ray.md"


@pytest.mark.filterwarnings("ignore")
def test_the_programs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(programs) == 4
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error")
    try:
        exec(compile("\n".join(programs), str(PAGE), "exec"), {"__name__": "__main__"})
    finally:
        ray.shutdown()
    assert len(parquet.read_table(tmp_path / "tokens")) == 2000
