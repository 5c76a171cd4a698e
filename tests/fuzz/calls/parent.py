"""Run children over many cases, two bindings at a time, and survive their crashes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from support.processes import TESTS, path_with

from .statuses import HEADER, ROW, STATUSES

START, STARTING = 300.0, -3  # seconds a child may take to start, and its case number until then


class Run:
    """The options that all children share."""

    def __init__(
        self,
        seed: int,
        functions: str = "",
        hang: float = 20.0,
        options: Sequence[str] = (),
        python: str = sys.executable,
        most_failures: int = 60,
    ) -> None:
        """Set the options.

        Args:
            hang: the seconds that one case may take.
            options: further options of the children.
            most_failures: the crashes and hangs of a binding after which no child is started.
        """
        self.seed, self.hang, self.most_failures = seed, hang, most_failures
        self.options = ("--seed", str(seed), "--functions", functions, *options)
        self.python = [python, "-P", "-W", "ignore"]
        self.folder = Path(tempfile.mkdtemp(prefix="calls-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = path_with(TESTS) | {"PYTHONHASHSEED": "0", "PYTHONFAULTHANDLER": ""}

    def start(
        self, binding: str, *options: str, stdout: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        """Start a child."""
        command = [*self.python, "-m", "fuzz.calls.child", binding, *self.options, *options]
        with (self.folder / f"{binding}.err").open("wb") as errors:
            return subprocess.Popen(command, env=self.environment, stdout=stdout, stderr=errors)

    def cases(self, binding: str, first: int, count: int) -> tuple[Any, float]:
        """Return a row for each case, and the processor time in seconds."""
        path = self.folder / f"{binding}.rows"
        path.write_bytes(bytes(HEADER + ROW.itemsize * (first + count)))
        shared = np.memmap(path, np.uint8, "r+")
        progress, rows = shared[:HEADER].view(np.int64), shared[HEADER:].view(ROW)
        at, failures = first, 0
        while at < first + count and failures < self.most_failures:
            progress[0] = STARTING
            count_left = first + count - at
            child = self.start(
                binding, f"--shared={path}", f"--first={at}", f"--count={count_left}"
            )
            status = self._watch(child, progress)
            if not status:
                break
            if progress[0] == STARTING:
                errors = (self.folder / f"{binding}.err").read_text(errors="replace")
                raise RuntimeError(f"{binding} does not start:\n{errors}")
            at = int(progress[0])
            rows[at]["status"] = STATUSES.index(status)
            rows[at]["text"] = abs(child.returncode or 0)
            print(f"  {binding}: {status} ({child.returncode}) in case {at}", flush=True)
            errors = (self.folder / f"{binding}.err").read_text(errors="replace")
            if status == "crash" and (child.returncode or 0) > 0:
                print("    " + "\n    ".join(errors.strip().splitlines()[-3:]))
            at, failures = at + 1, failures + 1
        return rows[first:].copy(), progress[1] / 1e6

    def _watch(self, child: subprocess.Popen[bytes], progress: Any) -> str:
        """Wait for a child; return how it failed, or ""."""
        seen, since = STARTING, time.monotonic()
        while True:
            try:
                return "crash" if child.wait(0.2) else ""
            except subprocess.TimeoutExpired:
                if seen != progress[0]:
                    seen, since = int(progress[0]), time.monotonic()
                elif time.monotonic() - since > (START if seen == STARTING else self.hang):
                    child.send_signal(signal.SIGKILL)
                    child.wait()
                    return "hang"

    def show(self, binding: str, number: int) -> tuple[str, str]:
        """Return the description of a case, and how it ends."""
        child = self.start(binding, f"--case={number}", stdout=subprocess.PIPE)
        try:
            found = child.communicate(timeout=START)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            child.kill()
            return child.communicate()[0].decode(errors="replace"), "hang"
        if child.returncode:
            return found, f"crash ({child.returncode})"
        case, _, end = found.strip().rpartition("\n")
        return case, end


def all_cases(run: Run, bindings: Sequence[str], first: int, count: int) -> dict[str, Any]:
    """Run the same cases with every binding, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        tasks = {name: pool.submit(run.cases, name, first, count) for name in bindings}
        found = {}
        for name, task in tasks.items():
            rows, seconds = task.result()
            found[name] = rows
            done = int((rows["status"] > 0).sum())
            rate = done / max(seconds, 1e-9)
            print(f"{name:9} {done} cases, {rate:.0f} a second of processor", flush=True)
        return found
