"""A script of this folder in a process of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any

from benchmarks.core.process import COMMAND, INHERITED, SINGLE, TIMEOUT_S, WorkerFailed


def fresh(script: str, job: Any, tell: Mapping[str, str] | None = None) -> Any:
    """Run a script with a job as JSON on one thread, and return the JSON that it prints last."""
    try:
        done = subprocess.run(
            [*COMMAND, f"ledger.beyond.{script}", json.dumps(job)],
            capture_output=True,
            text=True,
            env={**INHERITED, **SINGLE, **(tell or {})},
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as late:
        raise WorkerFailed(f"{script} {job}: not done in {TIMEOUT_S} s") from late
    if done.returncode:
        why = (done.stderr.strip() or f"ended by {done.returncode}").splitlines()[-1]
        raise WorkerFailed(f"{script} {job}: {why}")
    return json.loads(done.stdout.splitlines()[-1])
