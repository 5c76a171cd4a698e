"""Fresh processes: one thread each, and a crash in one is an answer like any other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from tempfile import TemporaryFile
from threading import Timer
from typing import Any

from benchmarks import ROOT

COMMAND = (sys.executable, str(ROOT / "benchmarks"))
TIMEOUT_S = 240
SENT = "answers sent"
"""The key of a worker's last line: how many came before it."""
LIBRARIES = ("OPENBLAS", "MKL", "OMP", "RAYON")
INHERITED = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
SINGLE = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}


class WorkerFailed(RuntimeError):
    """A worker that crashed, hung or raised."""


def answers(do: str, tell: Mapping[str, str] | None = None, **job: Any) -> Iterator[Any]:
    """Yield what a function of worker.py yields for a job, from a process of its own.

    The process gets the environment and the variables in `tell`.
    """
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            [*COMMAND, "ledger.worker", json.dumps({"do": do, **job})],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**INHERITED, **SINGLE, **(tell or {})},
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
            raise WorkerFailed(f"killed by signal {-process.returncode}")
        if process.returncode:
            errors.seek(0)
            raise WorkerFailed((errors.read().strip() or "failed").splitlines()[-1])
        if said != {SENT: sent}:
            raise WorkerFailed(f"ended in the middle, after {sent} answers")


def answer(do: str, **job: Any) -> Any:
    """Return the only answer to a job."""
    (only,) = answers(do, **job)
    return only
