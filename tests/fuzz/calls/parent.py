"""Run children over many cases, two bindings at a time, and survive their crashes."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Iterable, Sequence
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
            options = (
                f"--shared={path}", f"--first={at}", f"--count={first + count - at}"
            )  # fmt: skip
            child = self.start(binding, *options)
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

    def explain(
        self, binding: str, wanted: Iterable[tuple[int, int]]
    ) -> dict[tuple[int, int], Any]:
        """Return the text and the full verdict of each case, by number and mask."""
        left, found = list(wanted), {}
        while left:
            path = self.folder / f"{binding}.explain"
            path.write_text("\n".join(f"{number}/{mask}" for number, mask in left))
            child = self.start(binding, f"--explain={path}", stdout=subprocess.PIPE)
            timer = _Killer(child, START + len(left) * 0.05)
            lines = [json.loads(line) for line in child.communicate()[0].splitlines()]
            timer.stop()
            for head, verdict in zip(lines[::2], lines[1::2], strict=False):
                found[head[0], head[1]] = (head, verdict)
            if len(lines) % 2:
                head = lines[-1]
                how = "hang" if timer.killed else "crash"
                found[head[0], head[1]] = (head, [how, str(child.returncode), "", 1, False])
            elif len(lines) < 2 * len(left):
                break
            left = left[len(lines) // 2 + len(lines) % 2 :]
        return found


class _Killer:
    """Kill a child after some seconds."""

    def __init__(self, child: subprocess.Popen[bytes], seconds: float) -> None:
        import threading

        self.killed, self._child = False, child
        self._timer = threading.Timer(seconds, self._kill)
        self._timer.start()

    def _kill(self) -> None:
        self.killed = True
        self._child.kill()

    def stop(self) -> None:
        self._timer.cancel()


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
