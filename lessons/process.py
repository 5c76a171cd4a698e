"""A child process that runs a learner's code, seen from the checker.

The checker asks over one pipe and reads the answers from another. A process that dies, answers
something else or takes too long raises `Died`, which says how; its stderr only helps to explain
that.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any

BOX = Path(__file__).parent / "box"
LESSONS = Path(__file__).parent
LONGEST_ANSWER = 1 << 26
SECONDS_TO_START = 60
FOLDERS = [
    "/usr", "/lib", "/lib64", "/bin", "/etc", "/opt", "/sys/devices/system", "/sys/fs/cgroup",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys",
    "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom",
]  # fmt: skip
"""What every process and compiler may read; /proc/self is resolved by the process itself."""
OURS = ("bindings", "ffi_cookbook_pyo3", "ffi_cookbook_torch")
"""The project's own packages, which solve many exercises."""


class Died(Exception):
    """The process ended, or was ended, before it answered."""

    def __init__(self, how: str, status: int, errors: str) -> None:
        super().__init__(how)
        self.how, self.status, self.errors = how, status, errors


@dataclass(frozen=True)
class Limits:
    """The limits of a process."""

    seconds: float = 5
    """Of wall time for one case."""
    processor: int = 60
    """Of processor time for all cases."""
    memory: int = 4 << 30
    """Bytes of address space."""


@dataclass(frozen=True)
class Place:
    """The program of a process: a folder with the built solution, and the way to load it."""

    folder: Path
    library: str = ""
    imports: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """Options of the interpreter."""
    variables: tuple[tuple[str, str], ...] = ()
    crash: str = ""
    count: str = ""
    limits: Limits = Limits()
    sanitized: bool = False
    forked: bool = False
    """Forking is a part of the exercise."""


def delay(pid: int) -> float:
    """Return the seconds in which threads of the process could have run and had no processor.

    On a busy machine, a limit of wall time would measure the machine. The result is 0 except on
    Linux.
    """
    total = 0
    for path in Path("/proc", str(pid), "task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # the thread has just ended
            total += int(path.read_text("ascii").split()[1])
    return total / 1e9


def denied() -> list[str]:
    """Return the folders that the learner's code may not read: the checker and our bindings."""
    specs = filter(None, map(util.find_spec, OURS))
    return [
        str(LESSONS), *(place for spec in specs for place in spec.submodule_search_locations or ())
    ]  # fmt: skip


class Child:
    """One process; use it in a `with` block, which ends it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (`end` closes it)
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        folders = {sys.prefix, sys.base_prefix, sys.exec_prefix, str(place.folder), *FOLDERS}
        paths = [path for path in sys.path if path and Path(path) != LESSONS.parent]
        config = {
            "folder": str(place.folder), "library": place.library, "imports": place.imports,
            "crash": place.crash, "count": place.count, "requests": requests, "answers": answers,
            "seconds": place.limits.processor,
            "memory": None if place.sanitized else place.limits.memory,
            "allowed": sorted(folders.union(paths)), "denied": denied(),
            "forks": place.forked,
        }  # fmt: skip
        variables = {
            "PATH": os.defpath, "HOME": str(place.folder), "TMPDIR": str(place.folder),
            "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "random",
            "PYTHONPATH": os.pathsep.join(path for path in paths if "site-packages" in path),
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
            # Otherwise memory freed into a thread's cache would count as in use.
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0", **dict(place.variables),
        }  # fmt: skip
        command = [sys.executable, "-P", "-s", *place.options, str(BOX / "child.py")]
        self.process = subprocess.Popen(
            [*command, json.dumps(config)],
            stdin=subprocess.DEVNULL,
            stdout=self.errors,
            stderr=self.errors,
            pass_fds=(requests, answers),
            env=variables,
            cwd=place.folder,
            start_new_session=True,
        )
        os.close(requests)
        os.close(answers)
        self.held: list[str] = []

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *details: object) -> None:
        self.end()

    def start(self) -> None:
        """Wait until the solution is loaded; raise ImportError with the text if it cannot be."""
        first = self._read(self._deadline(SECONDS_TO_START))
        self.held = list(first.get("ready", []))
        loaded = self._read(self._deadline(self.place.limits.seconds))
        if "import" in loaded:
            raise ImportError(str(loaded["import"]))

    def ask(self, request: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Return the answer to the request; raise Died if there is none."""
        token = secrets.token_hex(8)
        data = json.dumps({**request, "id": token}).encode()
        deadline = self._deadline(seconds or self.place.limits.seconds)
        try:
            self._write(struct.pack("<I", len(data)) + data)
        except BrokenPipeError:
            raise self._died("ended") from None
        answer = self._read(deadline)
        if answer.pop("id", None) != token:
            raise self._died("forged")
        return answer

    def finish(self) -> None:
        """Let the interpreter end as it does in a program; raise Died if that fails."""
        os.close(self._requests)
        self._requests = -1
        deadline = self._deadline(self.place.limits.seconds)
        while self.process.poll() is None:
            if (remaining := self._remaining(deadline)) <= 0:
                raise self._died("time")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(remaining)
        if self.process.returncode:
            raise self._died("ended")

    def end(self) -> None:
        """End the process and all that it has started, and close the pipes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for place in (self._requests, self._answers):
            if place >= 0:
                os.close(place)
        self._requests = self._answers = -1
        self.errors.close()

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._requests, data) :]

    def _deadline(self, seconds: float) -> float:
        self._delay = delay(self.process.pid)
        return time.monotonic() + seconds

    def _remaining(self, deadline: float) -> float:
        """Return the remaining seconds, without those in which the process waited to run."""
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            remaining += max(0.0, delay(self.process.pid) - self._delay)
        return remaining

    def _read(self, deadline: float) -> dict[str, Any]:
        size = struct.unpack("<I", self._bytes(4, deadline))[0]
        if size > LONGEST_ANSWER:
            raise self._died("forged")
        try:
            answer = json.loads(self._bytes(size, deadline))
        except (ValueError, RecursionError):
            raise self._died("forged") from None
        if not isinstance(answer, dict):
            raise self._died("forged")
        return answer

    def _bytes(self, size: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < size:
            if (remaining := self._remaining(deadline)) <= 0:
                raise self._died("time")
            if not select.select([self._answers], [], [], remaining)[0]:
                continue
            part = os.read(self._answers, size - len(data))
            if not part:
                raise self._died("ended")
            data += part
        return bytes(data)

    def _died(self, how: str) -> Died:
        if how == "ended":
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)  # a crash report or a sanitizer may still be written
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        status = self.process.wait()
        return Died(how, status, self.text())

    def text(self) -> str:
        """Return the end of what the process has written to stdout and stderr."""
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 100_000))
        return self.errors.read().decode("utf-8", "replace")
