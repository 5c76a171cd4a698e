"""The sandbox: what a learner's code can do to other processes, to files and to the checker."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path

import pytest

from ffi_cookbook_lessons.box import calls
from ffi_cookbook_lessons.catalogue import find
from ffi_cookbook_lessons.grading import grade
from ffi_cookbook_lessons.modes import sanitizer_variables
from ffi_cookbook_lessons.verdict import Verdict

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="Landlock and seccomp are Linux's",
)
EXERCISE = find("ctypes_and_cffi/index")
HEADERS = {
    0: ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"),
    1: ("asm-generic/unistd.h",),
}
"""The headers with the numbers of x86_64 and of aarch64, below /usr/include."""
TABLE = {**calls.FORKING, **calls.ENDING, **calls.SIGNALLING, **calls.REFUSED, **calls.CHECKED}
LIBC = "import ctypes, os, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n"


def graded(folder: Path, code: str) -> Verdict:
    """Return the verdict on our solution with code that runs when it is loaded."""
    path = folder / EXERCISE.file
    path.write_text(f"{EXERCISE.solution}\n\n{code}", "utf-8")
    return grade(EXERCISE, path)


@pytest.mark.parametrize("machine", [0, 1])
def test_the_numbers_are_those_of_the_kernel(machine: int) -> None:
    found = [Path("/usr/include", name) for name in HEADERS[machine]]
    headers = [path for path in found if path.exists()]
    if not headers:
        pytest.skip("the header is not installed")
    listed = re.findall(
        r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", headers[0].read_text("ascii"), re.MULTILINE
    )
    numbers = {name: int(number) for name, number in listed}
    newest = max(number for name, number in numbers.items() if name != "syscalls")
    for name, call in TABLE.items():
        number = call[machine]
        if number is None or number <= newest:
            assert numbers.get(name) == number, name


def test_no_number_stands_twice() -> None:
    for machine in (0, 1):
        numbers = [call[machine] for call in TABLE.values() if call[machine] is not None]
        assert len(numbers) == len(set(numbers))


def test_calls_that_no_solution_needs_are_refused(tmp_path: Path) -> None:
    machine = ("x86_64", "aarch64").index(platform.machine())
    numbers = {name: call[machine] for name, call in calls.REFUSED.items()}
    code = f"""{LIBC}
for name, number in {numbers}.items():
    if number is not None:
        assert libc.syscall(number, -1, 0, 0, 0, 0, 0) == -1, name
        assert ctypes.get_errno() == 1, (name, os.strerror(ctypes.get_errno()))
for number in (calls_newest + 1, calls_newest + 50, 1 << 30):
    assert libc.syscall(number, 0, 0, 0, 0, 0, 0) == -1, number
    assert ctypes.get_errno() == 38, number
""".replace("calls_newest", str(calls.NEWEST))
    verdict = graded(tmp_path, code)
    assert verdict.status == "pass", verdict.finding


ARGUMENTS = """
import resource as r; r.prlimit(os.getppid(), r.RLIMIT_CPU, (1, 1))
import resource as r; r.prlimit(os.getppid(), r.RLIMIT_CPU)
import resource as r; r.setrlimit(r.RLIMIT_CPU, (9, 9))
import fcntl; fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())
import fcntl; fcntl.fcntl(0, 15, bytes(8))
import fcntl; fcntl.ioctl(0, 0x5412, b'x')
import fcntl; fcntl.ioctl(os.open('drive.py', 0), 0x40086602, bytes(8))
open(f'/proc/{os.getppid()}/environ')
open(f'/proc/{os.getppid()}/maps')
open('/proc/1/stat')
import ffi_cookbook
import ffi_cookbook_lessons
os.chmod('drive.py', 0o777)
os.utime('drive.py')
os.setxattr('drive.py', 'user.a', b'')
import socket; socket.socketpair()
"""


def test_calls_with_such_arguments_are_refused(tmp_path: Path) -> None:
    code = f"""{LIBC}
for line in {ARGUMENTS.strip().splitlines()}:
    try:
        exec(line)
    except (OSError, ValueError) as error:  # setrlimit of Python raises ValueError for EPERM
        assert getattr(error, "errno", 1) in (1, 13), (line, error)
    else:
        raise AssertionError(line)
"""
    verdict = graded(tmp_path, code)
    assert verdict.status == "pass", verdict.finding


def test_what_a_process_needs_of_itself_is_allowed(tmp_path: Path) -> None:
    code = """import resource, signal, fcntl, threading
assert open("/proc/self/maps").read()
signal.signal(signal.SIGUSR1, lambda *_: None)
signal.raise_signal(signal.SIGUSR1)
signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
os.kill(os.getpid(), signal.SIGUSR1)
resource.getrlimit(resource.RLIMIT_CPU)
fcntl.fcntl(0, fcntl.F_GETFL)
os.set_inheritable(os.dup(0), True)
os.isatty(0)
"""
    verdict = graded(tmp_path, LIBC + code)
    assert verdict.status == "pass", verdict.finding


@pytest.mark.parametrize("name", calls.SIGNALLING)
def test_no_signal_reaches_another_process(name: str, tmp_path: Path) -> None:
    machine = ("x86_64", "aarch64").index(platform.machine())
    number = calls.SIGNALLING[name][machine]
    verdict = graded(tmp_path, f"{LIBC}libc.syscall({number}, os.getppid(), 0, 0, 0)")
    assert verdict.finding is not None
    assert verdict.finding.rule == "forbidden-call"
    assert verdict.finding.message.startswith("when the file is loaded:")


def test_the_environment_does_not_show_the_mode(tmp_path: Path) -> None:
    names = [*dict(sanitizer_variables()), "ASAN", "UBSAN", "libasan"]
    code = f"""{LIBC}
libc.getenv.restype = ctypes.c_char_p
shown = open("/proc/self/environ").read() + open("/proc/self/cmdline").read() + str(sys.argv)
for name in {names}:
    assert libc.getenv(name.encode()) is None, name
    assert name not in os.environ, name
    assert name not in shown, name
assert '{{"' not in shown, "the limits depend on the mode"
"""
    verdict = graded(tmp_path, code)
    assert verdict.status == "pass", verdict.finding
    assert "sanitized" in verdict.modes


PATCHES = {
    "the main module": "for name in ('Server', 'answerer', 'leaks'):\n"
    "    setattr(sys.modules['__main__'], name, None)",
    "built-in functions": "import builtins\n"
    "builtins.min = builtins.max = lambda *_, **__: 0\n"
    "builtins.sum = builtins.abs = lambda *_, **__: 0",
    "modules": "import gc, time, contextlib\n"
    "sys.getallocatedblocks = lambda: 0\n"
    "sys.getrefcount = lambda _: 0\n"
    "gc.collect = time.sleep = lambda *_: 0",
    "the globals of its callers": "frame = sys._getframe()\n"
    "while frame:\n"
    "    for name in ('search', 'searcher', 'answer', 'answerer', 'growth', 'WARM_UP'):\n"
    "        if name in frame.f_globals:\n"
    "            frame.f_globals[name] = lambda *_, **__: [0, 0, [0] * 99]\n"
    "    frame = frame.f_back",
}


@pytest.mark.parametrize("patch", PATCHES)
def test_a_leak_is_found_whatever_is_replaced(patch: str, tmp_path: Path) -> None:
    kept = "kept = []\n_index = index_records\n\n\ndef index_records(*args, **kwargs):\n"
    kept += "    kept.append(object())\n    return _index(*args, **kwargs)\n"
    for code, rule in ((kept, "leaked-object"), ("", None)):
        verdict = graded(tmp_path, f"import sys\n{code}\n{PATCHES[patch]}\n")
        assert (verdict.finding and verdict.finding.rule) == rule, verdict.finding
