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
LONGEST_ANSWER = 1 << 24
LONGEST_TEXT = 2000
SECONDS_TO_START = 60
PATIENCE = 3
"""No wait is longer than this multiple of its limit, however busy the machine is.

For code that may fork it is not longer at all, since its children could keep the machine busy.
"""
MOST_TASKS = 512
"""The threads and processes that a solution may have at once."""
BETWEEN_LOOKS = 0.05
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc", "/opt")
FOLDERS = (
    *SYSTEM,
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
)
"""What every process may read; /proc/self is resolved by the process itself."""
OURS = ("ffi_cookbook", "ffi_cookbook_pyo3", "ffi_cookbook_torch")
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


@dataclass(frozen=True)
class Usage:
    """What a process uses, with the processes that it has forked; zeros except on Linux."""

    tasks: int = 0
    processor: float = 0
    memory: int = 0


def usage(group: int, forked: bool = False) -> Usage:
    """Return what the process uses, and if it may fork, what its process group uses.

    The sandbox does not let a process leave its group.
    """
    tasks = ticks = pages = 0
    for path in Path("/proc").glob("[0-9]*/stat" if forked else f"{group}/stat"):
        with contextlib.suppress(OSError, IndexError):  # the process has just ended
            fields = path.read_bytes().rpartition(b")")[2].split()  # from the third on, see proc(5)
            if int(fields[2]) == group:
                ticks += sum(map(int, fields[11:15]))
                tasks += int(fields[17])
                pages += int(fields[21])
    return Usage(tasks, ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE"))


def delay(pid: int) -> float:
    """Return the seconds in which the main thread could have run while other programs ran.

    On a busy machine, a limit of wall time would measure the machine. The time in which other
    threads of the process had the processor is left out, since they could stretch the limit. The
    result is 0 except on Linux.
    """
    try:
        ran, waited = map(int, Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[:2])
    except OSError:
        return 0
    return waited / 1e9 - max(0, usage(pid).processor - ran / 1e9)


@dataclass(frozen=True)
class Deadline:
    """The end of a wait: without the delay that grows from here on, and in any case."""

    soft: float
    hard: float
    delay: float


def denied() -> list[str]:
    """Return the folders that the learner's code may not read: the checker and our bindings."""
    specs = filter(None, map(util.find_spec, OURS))
    return [
        str(LESSONS),
        *(place for spec in specs for place in spec.submodule_search_locations or ()),
    ]


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
            "forgotten": [name for name, _ in place.variables],
            "folder": str(place.folder),
            "library": place.library,
            "imports": place.imports,
            "crash": place.crash,
            "count": place.count,
            "seconds": place.limits.processor,
            "memory": None if place.sanitized else place.limits.memory,
            "allowed": sorted(folders.union(paths)),
            "denied": denied(),
            "forks": place.forked,
        }
        variables = {
            "PATH": os.defpath,
            "HOME": str(place.folder),
            "TMPDIR": str(place.folder),
            "LC_ALL": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "random",
            "PYTHONPATH": os.pathsep.join(path for path in paths if "site-packages" in path),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            # Otherwise memory freed into a thread's cache would count as in use.
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
            **dict(place.variables),
        }
        program = [str(BOX / "child.py"), str(requests), str(answers)]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-s", *place.options, *program],
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
        os.set_blocking(self._requests, False)
        self._config = config
        self._end = float("inf")
        self.held: list[str] = []

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *details: object) -> None:
        self.end()

    def start(self) -> None:
        """Wait until the solution is loaded; raise ImportError with the text if it cannot be."""
        deadline = self._deadline(SECONDS_TO_START)
        self._write(self._config, deadline)
        self.held = list(self._read(deadline).get("ready", []))
        self._end = time.monotonic() + PATIENCE * self.place.limits.processor
        loaded = self._read(self._deadline(self.place.limits.seconds))
        if "import" in loaded:
            raise ImportError(str(loaded["import"])[:LONGEST_TEXT])

    def ask(self, request: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Return the answer to the request; raise Died if there is none."""
        token = secrets.token_hex(8)
        deadline = self._deadline(seconds or self.place.limits.seconds)
        self._write({**request, "id": token}, deadline)
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
            self._look(deadline)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(BETWEEN_LOOKS)
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

    def _write(self, request: dict[str, Any], deadline: Deadline) -> None:
        data = json.dumps(request).encode()
        data = struct.pack("<I", len(data)) + data
        while data:
            self._look(deadline)
            if select.select([], [self._requests], [], BETWEEN_LOOKS)[1]:
                try:
                    data = data[os.write(self._requests, data) :]
                except BrokenPipeError:
                    raise self._died("ended") from None

    def _deadline(self, seconds: float) -> Deadline:
        now = time.monotonic()
        most = seconds if self.place.forked else PATIENCE * seconds
        return Deadline(now + seconds, min(now + most, self._end), delay(self.process.pid))

    def _look(self, deadline: Deadline) -> None:
        """Raise Died if the process has used up its time, or too much else."""
        used = usage(self.process.pid, self.place.forked)
        if used.tasks > MOST_TASKS:
            raise self._died("tasks")
        if used.memory > self.place.limits.memory:
            raise self._died("memory")
        now = time.monotonic()
        if now >= deadline.soft:
            now -= max(0.0, delay(self.process.pid) - deadline.delay)
        if now >= deadline.soft or time.monotonic() >= deadline.hard:
            raise self._died("time")

    def _read(self, deadline: Deadline) -> dict[str, Any]:
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

    def _bytes(self, size: int, deadline: Deadline) -> bytes:
        data = bytearray()
        while len(data) < size:
            self._look(deadline)
            if not select.select([self._answers], [], [], BETWEEN_LOOKS)[0]:
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
