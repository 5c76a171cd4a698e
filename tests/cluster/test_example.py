"""The program of examples/cluster.py, one of whose workers is killed in the middle."""

from __future__ import annotations

import json
from pathlib import Path

from ffi_cookbook.tokenizer import sample_texts
from support.processes import run_python

EXAMPLE = Path(__file__).parents[2] / "examples/cluster.py"

RUNNER = """
import os, runpy, signal, sys
from pathlib import Path
import ray
from ffi_cookbook.data import TokenStream

class Killed(TokenStream):
    def __iter__(self):
        for number, batch in enumerate(super().__iter__(), 1):
            if number == 6 and os.environ["RANK"] == "1" and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

mark = Path("killed").absolute()
ray.init(num_cpus=2, object_store_memory=100 << 20, include_dashboard=False)
example = runpy.run_path(sys.argv[1])
example["train_worker"].__globals__["TokenStream"] = Killed
example["run"](["0.jsonl", "1.jsonl"], Path("out"), 2, 4)
"""


def test_a_worker_that_is_killed_changes_no_loss(tmp_path: Path) -> None:
    texts = "".join(sample_texts(40_000))[:40_000]
    for number, text in enumerate((texts[:25_000], texts[25_000:])):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps({"text": text}))
    (tmp_path / "runner.py").write_text(RUNNER)
    run_python("runner.py", EXAMPLE, cwd=tmp_path, env={"OMP_NUM_THREADS": "1"}, seconds=500)
    assert (tmp_path / "killed").exists()
    for rank in range(2):
        lines = (tmp_path / f"out/losses-{rank}.txt").read_text().splitlines()
        steps = dict(line.split() for line in lines)
        assert list(map(int, steps)) == list(range(1, len(steps) + 1))
        assert set(lines) == {f"{step} {loss}" for step, loss in steps.items()}
        assert len(lines) > len(steps) > 8  # those behind the checkpoint come twice
        assert float(steps[str(len(steps))]) < float(steps["1"])
