"""The programs of examples/ run, on what the project brings itself or on real data."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from ffi_cookbook.tokenizer import sample_texts
from support.backends import needs
from support.processes import run_python

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_each_example_is_read_in_one_sitting() -> None:
    sizes = [len(path.read_text("utf-8").splitlines()) for path in EXAMPLES.glob("*.py")]
    assert len(sizes) == 8
    assert max(sizes) < 100


def test_digits(data: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The classifier gets right what it has not seen; a guess is right in 10 % of all cases."""
    torch = needs("torch")
    threads = torch.get_num_threads()
    paths = [str(data / "records/tfx_mnist/mnist.tfrecord")] if data else []
    monkeypatch.setattr(sys, "argv", ["digits.py", *paths, "--epochs", "2"])
    torch.set_num_threads(1)  # two threads on a busy processor wait for each other
    try:
        found = runpy.run_path(str(EXAMPLES / "digits.py"), run_name="__main__")
    finally:
        torch.set_num_threads(threads)
    assert found["share"] > 0.6


TORCHRUN = """
import os, runpy, signal, sys
import torch._dynamo  # which an optimizer imports
from ffi_cookbook import data
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.launcher.api import LaunchConfig, elastic_launch

class Killed(data.TokenStream):
    def __iter__(self):
        for number, batch in enumerate(super().__iter__(), 1):
            if (self.epoch, number, os.environ["RANK"]) == (1, 2, "1"):
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

def run(out, killed):
    if killed:
        data.TokenStream = Killed
    sys.argv[1:] = ["corpus.txt", "--out", out, "--save-every", "3", "--epochs", "2"]
    runpy.run_path(example, run_name="__main__")

def torchrun(*arguments):  # with forks of this process, which has imported torch
    options = {"rdzv_backend": "c10d", "rdzv_endpoint": "localhost:0", "run_id": "run"}
    options |= {"max_restarts": 0, "start_method": "fork", "monitor_interval": 0.1}
    elastic_launch(LaunchConfig(1, 1, 2, **options), run)(*arguments)

example = sys.argv[1]
torchrun("whole", False)
try:
    torchrun("killed", True)
except ChildFailedError:  # of rank 1, or of rank 0, which lost it
    torchrun("killed", False)
else:
    raise AssertionError("no rank was killed")
"""


def losses(path: Path) -> list[tuple[int, str]]:
    """Return the numbers of the steps and their losses, as they were written."""
    lines = [line.split() for line in path.read_text().splitlines()]
    return [(int(step), loss) for step, loss in lines]


def test_a_run_that_was_killed_has_the_losses_of_one_that_was_not(
    data: Path | None, tmp_path: Path
) -> None:
    """One of two ranks is killed in the second epoch, and the same command goes on."""
    needs("torch")
    texts = [(data / "tinyshakespeare.txt").read_text("utf-8")] if data else sample_texts(20_000)
    (tmp_path / "corpus.txt").write_text("".join(texts)[:20_000], "utf-8")
    (tmp_path / "torchrun.py").write_text(TORCHRUN)
    env = {"OMP_NUM_THREADS": "1"}  # as torchrun sets it
    run_python("torchrun.py", EXAMPLES / "gpt.py", cwd=tmp_path, env=env, seconds=900)
    for rank in range(2):
        names = [f"{out}/losses-{rank}.txt" for out in ("whole", "killed")]
        whole, killed = (losses(tmp_path / name) for name in names)
        assert [step for step, _ in whole] == list(range(1, len(whole) + 1))
        assert set(killed) == set(whole)  # steps behind the checkpoint come twice
        assert [step for step, _ in killed].count(1) == 1
        assert float(whole[-1][1]) < float(whole[0][1])
