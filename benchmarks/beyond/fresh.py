"""A script of this folder in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workers import INHERITED, SINGLE, TIMEOUT_S, WorkerFailed

HERE = Path(__file__).parent


def fresh(script: str, job: Any, tell: Mapping[str, str] | None = None) -> Any:
    """Run a script with a job as JSON on one thread, and return the JSON that it prints last."""
    path = os.pathsep.join(filter(None, (str(HERE.parent), INHERITED.get("PYTHONPATH"))))
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(HERE / script), json.dumps(job)],
            capture_output=True,
            text=True,
            env={**INHERITED, **SINGLE, "PYTHONPATH": path, **(tell or {})},
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as late:
        raise WorkerFailed(f"{script} {job}: not done in {TIMEOUT_S} s") from late
    if done.returncode:
        why = (done.stderr.strip() or f"ended by {done.returncode}").splitlines()[-1]
        raise WorkerFailed(f"{script} {job}: {why}")
    return json.loads(done.stdout.splitlines()[-1])
