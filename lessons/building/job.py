"""A file to build, and the compilers that build it."""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ..process import BOX, SYSTEM, denied

SANITIZED = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
FEWER_CHECKS = ("-O0", "-fno-sanitize=alignment,null,object-size,vptr")
"""With these, templates and generated code compile two to four times as fast for the sanitizers."""
LONGEST_OUTPUT = 1 << 17
SECONDS = 180
"""Of wall time; box/confined.py limits the processor time to a third of it."""
CONFINED = str(BOX / "confined.py")
VARIABLES = (
    "PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH",
    "LD_LIBRARY_PATH",
    "SDKROOT",
    "MACOSX_DEPLOYMENT_TARGET",
    "CUDA_HOME",
    "RUSTUP_TOOLCHAIN",
)
"""What a compiler sees of the environment: the text of a file can read it (`env!` in Rust)."""


class BuildError(Exception):
    """The file could not be built; `line` is the line of the error, or 0 if it is unknown."""

    def __init__(self, message: str, line: int = 0, rule: str = "does-not-compile") -> None:
        super().__init__(message)
        self.message, self.line, self.rule = message, line, rule


@dataclass(frozen=True)
class Job:
    """A file to build, with the files that are given, into a folder."""

    source: Path
    given: tuple[Path, ...]
    folder: Path
    sanitized: bool
    """Build with AddressSanitizer and UndefinedBehaviorSanitizer."""

    @property
    def sources(self) -> list[Path]:
        """Return the C files that are given."""
        return [path for path in self.given if path.suffix == ".c"]

    def flags(self) -> list[str]:
        """Return the options of the C and C++ compilers for this job."""
        kind = SANITIZED if self.sanitized else ("-O2",)
        includes = [f"-I{folder}" for folder in {path.parent for path in self.given}]
        return [*kind, "-g", "-fPIC", "-shared", "-fno-omit-frame-pointer", "-Wall", *includes]


def tool(name: str, variable: str, hint: str) -> str:
    """Return the path of a compiler, or raise a BuildError that says what to install."""
    path = shutil.which(os.environ.get(variable) or name)
    if path is None:
        raise BuildError(f"{name} is not installed: {hint}", rule="missing-tool")
    return path


def run(job: Job, *command: str, variables: dict[str, str] | None = None) -> str:
    """Run a compiler and return its output; raise BuildError with its first error."""
    program = shutil.which(command[0]) or command[0]
    home, own = Path.home(), str(job.folder)
    cargo, rustup = (
        Path(os.environ.get(f"{name}_HOME", home / f".{name.lower()}"))
        for name in ("CARGO", "RUSTUP")
    )
    kept = {name: os.environ[name] for name in VARIABLES if name in os.environ}
    kept |= {"CARGO_HOME": str(cargo), "RUSTUP_HOME": str(rustup)}
    programs = {place.parents[1] for place in (Path(program), Path(program).resolve())}
    packages = [path for path in sys.path if "site-packages" in path]
    readable = {*map(Path, (sys.prefix, sys.base_prefix, *packages)), *programs, rustup, shared()}
    readable -= {cargo, home, *home.parents}
    allowed = [*SYSTEM, "/dev/null", str(cargo / "bin"), *map(str, readable)]
    limits = json.dumps(
        {"allowed": allowed, "denied": os.pathsep.join(denied()), "writable": [own]}
    )
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", CONFINED, limits, program, *command[1:]],
            cwd=own,
            env={**kept, "HOME": own, "TMPDIR": own, "LC_ALL": "C.UTF-8", **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            raise BuildError(f"the compiler did not end within {SECONDS} seconds") from None
        finally:
            with contextlib.suppress(ProcessLookupError):  # what a compiler has started ends too
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        text = output.read(LONGEST_OUTPUT).decode("utf-8", "replace")
    if process.returncode:
        raise first_error(job.source, text)
    return text


def cache() -> Path:
    """Return the folder of earlier builds; without a home to write to, one of this process."""
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(root) / "ffi-cookbook" / "lessons"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return _temporary()
    return folder if os.access(folder, os.W_OK) else _temporary()


@functools.cache
def _temporary() -> Path:
    """Make a folder that is removed when the process ends."""
    folder = tempfile.mkdtemp(prefix="ffi-cookbook-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def shared() -> Path:
    """Return the folder of shared parts of builds, such as precompiled headers."""
    return cache() / "shared"


def first_error(source: Path, text: str) -> BuildError:
    """Return the first error that a compiler printed, in the learner's file if there is one."""
    text = text.replace(str(source), source.name)
    place = rf"{re.escape(source.name)}:(\d+)(?::\d+)?: (?:fatal )?(?:error|[A-Z]\w*Error)"
    found = _in_a_template(source, text) or re.search(rf"{place}(?:\[E\d+\])?: (.*)", text)
    found = found or re.search(
        rf"^(?:\S*/)?{re.escape(source.name)}:(\d+):\d+: ((?!warning|note).*)", text, re.MULTILINE
    )
    found = found or re.search(rf"{re.escape(source.name)}\((\d+)\): error: (.*)", text)  # nvcc
    if found:
        return BuildError(_short(found[2]), int(found[1][:9]))
    if end := re.search(r"^At end of source: error: (.*)", text, re.MULTILINE):  # nvcc too
        return BuildError(_short(end[1]), source.read_bytes().count(b"\n"))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    wrong = [line for line in lines if re.search(r"\berror\b|undefined|Error:", line)]
    return BuildError((wrong or lines[-1:] or ["the compiler failed"])[0][:400])


def _in_a_template(source: Path, text: str) -> re.Match[str] | None:
    """Return the first error if it lies in a header: where the template was used, and its text."""
    used = rf"^{re.escape(source.name)}:(\d+):\d+:   required from here$"
    found = re.search(rf"{used}(?s:.*?)^\S+: error: (.*)", text, re.MULTILINE)
    first = re.search(r"^\S+: (?:fatal )?error: ", text, re.MULTILINE)
    return found if found and first and first.start() >= found.start() else None


def _short(message: str) -> str:
    """Return a compiler's message without the parameters of templates."""
    message = re.sub(r" (?:\[with .*?\]|\{aka .*?\})(?=['’ ]|$)", "", message.strip())
    return re.sub(r"^static assertion failed: ", "", message)[:300]
