"""Fresh processes with one thread each; a crash of one is reported like any result."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from threading import Timer
from typing import Any

from benchmarks import ROOT

COMMAND = (sys.executable, "--check-hash-based-pycs", "always", str(ROOT / "benchmarks"))
TIMEOUT_S = 240
SENT = "answers sent"  # the key of a worker's last line: the number of answers before it
LIBRARIES = ("OPENBLAS", "MKL", "OMP", "RAYON")
FAMILIES = (*LIBRARIES, "KMP", "GOMP", "ATEN", "TORCH")  # by variables that are not passed on
INHERITED = {name: os.environ[name] for name in os.environ if name.split("_")[0] not in FAMILIES}
SINGLE = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}


class WorkerFailed(RuntimeError):
    """A worker that crashed, hung or raised."""


def answers(do: str, **job: Any) -> Iterator[Any]:
    """Yield the answers of a function of worker.py for a job, from a process of its own."""
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            [*COMMAND, "ledger.worker", json.dumps({"do": do, **job})],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**INHERITED, **SINGLE},
        ) as process,
    ):
        late = Timer(TIMEOUT_S, process.kill)
        late.start()
        sent, said = 0, None
        try:
            assert process.stdout is not None
            for line in process.stdout:
                said = json.loads(line)
                if isinstance(said, dict) and said.keys() == {SENT}:
                    break
                sent += 1
                yield said
            process.stdout.read()
        finally:
            late.cancel()
        if process.wait() < 0:
            raise WorkerFailed(f"{do}: killed by signal {-process.returncode}")
        if process.returncode:
            errors.seek(0)
            raise WorkerFailed((errors.read().strip() or "failed").splitlines()[-1])
        if said != {SENT: sent}:
            raise WorkerFailed(f"{do}: ended in the middle, after {sent} answers")


def send(found: Iterable[Any]) -> None:
    """Send answers, line by line, and then their number.

    They go to the original stdout; anything that libraries print goes to stderr.
    """
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sent = 0
    for answer in found:
        print(json.dumps(answer), file=out, flush=True)
        sent += 1
    print(json.dumps({SENT: sent}), file=out, flush=True)


def answer(do: str, **job: Any) -> Any:
    """Return the only answer of a function of worker.py."""
    (only,) = answers(do, **job)
    return only
