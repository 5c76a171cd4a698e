"""NumPy with another core type: OpenBLAS reads it when it is loaded, so each has a process.

`python benchmarks studies.matmul.core_types` answers lines of JSON with lines of JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.core.process import COMMAND, INHERITED, SINGLE, WorkerFailed
from benchmarks.studies.matmul.rates import keyword, operands, product, rate

CORE_TYPES = {
    "x86_64": ("Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids"),
    "aarch64": ("ARMV8", "NEOVERSEN1", "NEOVERSEV1"),
}
"""By machine those of its cores. For one that its build has not, OpenBLAS takes another."""


class OpenBlas:
    """A process in which NumPy multiplies on request."""

    def __init__(self, core_type: str) -> None:
        self._process = subprocess.Popen(
            [*COMMAND, "studies.matmul.core_types"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**INHERITED, **SINGLE, "OPENBLAS_CORETYPE": core_type},
        )

    def runs(self) -> bool:
        """Return True if this machine has the instructions of the core type."""
        try:
            self.rate(64, "float32")
        except WorkerFailed:
            return False
        return True

    def end(self) -> None:
        """End the process."""
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()

    def rate(self, n: int, dtype: str) -> float:
        """Return GFLOP/s of a product of two (n,n), as `rates.rate` does."""
        return float(self._ask({"do": "rate", "n": n, "dtype": dtype}))

    def save(self, n: int, dtype: str, path: Path) -> Any:
        """Save the product of the last job to a file."""
        self._ask({"do": "save", "n": n, "dtype": dtype, "path": str(path)})
        return np.load(path)

    def _ask(self, job: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(job), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise WorkerFailed("NumPy ended, as it does where the machine lacks its instructions")
        return json.loads(answer)


def main(arguments: Sequence[str]) -> None:
    """Run jobs, with the operands of the last one in memory."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ready: dict[tuple[int, str], Any] = {}
    for line in sys.stdin:
        job = json.loads(line)
        key = job["n"], job["dtype"]
        if key not in ready:
            ready = {key: operands(*key)}
        answer = None
        if job["do"] == "rate":
            answer = rate(product(keyword(np.matmul), *ready[key]))
        else:
            np.save(job["path"], ready[key][-1])
        print(json.dumps(answer), file=out, flush=True)
