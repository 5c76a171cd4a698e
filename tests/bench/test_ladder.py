"""The ladder's steps are programs that check themselves; the page shows what they printed."""

from __future__ import annotations

import shutil
import subprocess
from importlib import import_module
from pathlib import Path

from doors import missing

ROOT = Path(__file__).parents[2]


def test_every_step_is_right(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or missing("a C compiler")
    steps = sorted((ROOT / "benchmarks" / "ladder").glob("[1-9]_*.c"))
    assert len(steps) == 8
    sources = [str(ROOT / "c_src" / f"{name}.c") for name in ("matmul", "pool", "cpu")]
    subprocess.run([compiler, "-c", "-O1", *sources], check=True, cwd=tmp_path)
    kernels = [str(tmp_path / f"{name}.o") for name in ("matmul", "pool", "cpu")]
    for step in steps:
        program = str(tmp_path / step.stem)
        flags = ["-O1", "-march=native", "-o", program, "-lm", "-lpthread"]
        subprocess.run([compiler, str(step), *kernels, *flags], check=True)
        for size in ("48", "528"):
            run = subprocess.run([program, size, "1", "2"], capture_output=True, check=False)
            assert run.returncode == 0, (step.name, size)
            assert float(run.stdout) > 0


def test_the_page_has_a_bar_for_each_step() -> None:
    page = import_module("ladder.page")
    steps = {"1_naive": [0.01, 0.5, 0.02], "2_order": [0.5, 0.5, 0.5]}
    facts = {"processor": "P", "cores": 2, "machine": "x86_64"}
    text = page.ladder({"steps": steps, "machine": facts, "noise": {"others": None}, "isa": "avx2"})
    assert [line.count("█") for line in text.splitlines()[3:5]] == [1, 25]
