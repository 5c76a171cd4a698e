"""The limits of a process that runs a learner's code, as far as the platform can enforce them.

On Linux, Landlock limits the files that can be read and forbids writing any, and seccomp ends the
process when it starts another one, opens a socket or sends a signal to another process. Neither can
be undone, and native code cannot evade them. Elsewhere only the limits of `resource` hold.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
# LANDLOCK_ACCESS_FS_EXECUTE and _READ_FILE, _READ_DIR
READ_FILE, READ_DIR = 1 << 0 | 1 << 2, 1 << 3
WRITE_FILE = 1 << 1
FILES_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
TCP = 3  # LANDLOCK_ACCESS_NET_BIND_TCP and _CONNECT_TCP, from version 4

# For each machine: the audit architecture, and the numbers of the system calls that end the process
# (execve, execveat, socket, ptrace, setpgid, setsid), of fork and vfork, of clone, and of kill and
# tgkill. clone3 is 435 everywhere.
MACHINES = {
    "x86_64": (0xC000003E, (59, 322, 41, 101, 109, 112), (57, 58), 56, (62, 234)),
    "aarch64": (0xC00000B7, (221, 281, 198, 117, 154, 157), (), 220, (129, 131)),
}
CLONE3, CLONE_THREAD = 435, 0x10000
ALLOW, KILL, REFUSE_WITH = 0x7FFF0000, 0x80000000, 0x00050000  # SECCOMP_RET_
ENOSYS = 38
LOAD, JUMP_EQUAL, JUMP_SET, RETURN = 0x20, 0x15, 0x45, 0x06  # BPF instructions

libc = ctypes.CDLL(None, use_errno=True)


def limit(seconds: int, memory: int | None, largest_file: int = 1 << 20) -> None:
    """Limit the processor time, the memory and the size of files in bytes, and core dumps."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def enter(
    allowed: Iterable[str],
    denied: str,
    processes: bool = False,
    writable: Iterable[str] = (),
    forks: bool = False,
) -> list[str]:
    """Forbid everything that no solution needs, and return the names of the protections in force.

    `allowed` are the folders that can be read, except for everything below `denied`; in the
    `writable` folders, files can be made too. With `processes`, no system call is forbidden; with
    `forks`, fork is allowed.
    """
    if sys.platform != "linux":
        return []
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return []
    held = []
    places, folder = [Path(path).resolve() for path in allowed], Path(denied).resolve()
    rules = {
        path: READ_FILE | READ_DIR if path.is_dir() else READ_FILE
        for path in _trees(places, folder)
    }
    for path in folder.parents:  # Python lists a folder to find a module in it
        if any(place in (path, *path.parents) for place in places):
            rules[path] = READ_DIR
    if _forbid_files(rules, map(Path, writable)):
        held.append("files")
    if not processes and _forbid_calls(forks):
        held.append("processes")
    return held


def _trees(allowed: Iterable[Path], denied: Path) -> Iterator[Path]:
    """Yield the largest folders and files that cover `allowed` without `denied`.

    A link among them is left out: its target may hold `denied` (a virtual environment's lib64 is
    its lib), and is handled at its own place.
    """
    for path in allowed:
        if path == denied or denied in path.parents or not path.exists():
            continue
        if path in denied.parents:
            inner = (entry for entry in path.iterdir() if not entry.is_symlink())
            yield from _trees(inner, denied)
        else:
            yield path


def _forbid_files(rules: dict[Path, int], writable: Iterable[Path]) -> bool:
    version = libc.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    files = FILES_OF_VERSION[min(version, 3)]
    attributes = struct.pack("QQ", files, TCP if version >= 4 else 0)
    size = 16 if version >= 4 else 8
    ruleset = libc.syscall(CREATE_RULESET, attributes, size, 0)
    if ruleset < 0:
        return False
    written = {Path("/dev/null"): READ_FILE | WRITE_FILE, **dict.fromkeys(writable, files)}
    for path, rights in (rules | written).items():
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        libc.syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, place), 0)
        os.close(place)
    done = libc.syscall(RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return done


def _forbid_calls(forks: bool) -> bool:
    if platform.machine() not in MACHINES:
        return False
    architecture, forbidden, forking, clone, signals = MACHINES[platform.machine()]
    if not forks:
        forbidden += forking
    program: list[tuple[int, int, int, int]] = [
        (LOAD, 0, 0, 4),  # the architecture; another one has other numbers
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, 0),  # the number of the call
    ]
    for number in forbidden:
        program += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, KILL)]
    program += [(JUMP_EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, REFUSE_WITH | ENOSYS)]
    if not forks:
        program += [  # clone makes a thread, or it ends the process
            (JUMP_EQUAL, 0, 4, clone),
            (LOAD, 0, 0, 16),
            (JUMP_SET, 1, 0, CLONE_THREAD),
            (RETURN, 0, 0, KILL),
            (RETURN, 0, 0, ALLOW),
        ]
    for number in signals:
        program += [
            (JUMP_EQUAL, 0, 4, number),
            (LOAD, 0, 0, 16),
            (JUMP_EQUAL, 1, 0, os.getpid()),
            (RETURN, 0, 0, KILL),
            (RETURN, 0, 0, ALLOW),
        ]
    program.append((RETURN, 0, 0, ALLOW))
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    filtering = struct.pack("H6xP", len(program), ctypes.addressof(code))
    return libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filtering, 0, 0) == 0
