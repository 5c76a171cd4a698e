"""The limits of a process that runs a learner's code, as far as the platform can enforce them.

On Linux, Landlock limits the files that can be read, forbids writing any, and forbids signals to
other processes where it can. seccomp ends the process when it starts another one, opens a socket or
sends a signal to another process, and refuses the other system calls of calls.py with EPERM.
Neither can be undone, and native code cannot evade them. Elsewhere only the limits of `resource`
hold.
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

import calls

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
# LANDLOCK_ACCESS_FS_EXECUTE and _READ_FILE, _READ_DIR
READ_FILE, READ_DIR = 1 << 0 | 1 << 2, 1 << 3
WRITE_FILE = 1 << 1
FILES_OF_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
TCP = 3  # LANDLOCK_ACCESS_NET_BIND_TCP and _CONNECT_TCP, from version 4
SCOPES = 3  # LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET and _SIGNAL, from version 6

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The audit architecture of each machine, in the order of the numbers in calls.py."""
CLONE_THREAD = 0x10000
FOREIGN = 0x7E028000
"""The flags with which clone makes a namespace, or a child of the checker (CLONE_PARENT)."""
CONTROLS = {
    "fcntl": (0, 1, 2, 3, 4, 1030),  # F_DUPFD, _GETFD, _SETFD, _GETFL, _SETFL, _DUPFD_CLOEXEC
    "ioctl": (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
    # TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
}
"""The commands of these calls that are allowed. Others lock or change a file that can be read, type
into a terminal, or send a signal to the owner of a descriptor."""
ALLOW, KILL, REFUSE_WITH = 0x7FFF0000, 0x80000000, 0x00050000  # SECCOMP_RET_
EPERM, ENOSYS = 1, 38
LOAD, JUMP_EQUAL, JUMP_GREATER, JUMP_SET, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06  # BPF instructions
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

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
    denied: Iterable[str],
    processes: bool = False,
    writable: Iterable[str] = (),
    forks: bool = False,
) -> list[str]:
    """Forbid everything that no solution needs, and return the names of the protections in force.

    `allowed` are the folders that can be read, except for everything below those in `denied`; in
    the `writable` folders, files can be made too. With `processes`, no system call is forbidden;
    with `forks`, fork is allowed.
    """
    if sys.platform != "linux":
        return []
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return []
    held = []
    places = [Path(path).resolve() for path in allowed]
    folders = [Path(path).resolve() for path in denied]
    rules = {
        path: READ_FILE | READ_DIR if path.is_dir() else READ_FILE
        for path in _trees(places, folders)
    }
    for path in {parent for folder in folders for parent in folder.parents}:
        if any(place in (path, *path.parents) for place in places):
            rules[path] = READ_DIR  # Python lists a folder to find a module in it
    if _forbid_files(rules, map(Path, writable)):
        held.append("files")
    if not processes and _forbid_calls(forks):
        held.append("processes")
    return held


def _trees(allowed: Iterable[Path], denied: list[Path]) -> Iterator[Path]:
    """Yield the largest folders and files that cover `allowed` without `denied`.

    A link among them is left out: its target may hold a denied folder (a virtual environment's
    lib64 is its lib), and is handled at its own place.
    """
    for path in allowed:
        if not path.exists() or any(folder in (path, *path.parents) for folder in denied):
            continue
        if any(path in folder.parents for folder in denied):
            inner = (entry for entry in path.iterdir() if not entry.is_symlink())
            yield from _trees(inner, denied)
        else:
            yield path


def _forbid_files(rules: dict[Path, int], writable: Iterable[Path]) -> bool:
    version = libc.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    files = FILES_OF_VERSION[max(known for known in FILES_OF_VERSION if known <= version)]
    attributes = struct.pack("QQQ", files, TCP, SCOPES)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
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
    program = _filter(platform.machine(), os.getpid(), forks)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    filtering = struct.pack("H6xP", len(program), ctypes.addressof(code))
    return libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filtering, 0, 0) == 0


Step = tuple[int, int, int, int]
"""A BPF instruction: its code, the steps to skip if it holds, those if not, and its operand."""


def _filter(machine: str, own: int, forks: bool) -> list[Step]:
    """Return the BPF program that decides about the system calls of the process `own`."""
    column = list(MACHINES).index(machine)
    refuse = (RETURN, 0, 0, REFUSE_WITH | EPERM)
    allow, kill = (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, KILL)
    unknown = (RETURN, 0, 0, REFUSE_WITH | ENOSYS)
    program = [
        (LOAD, 0, 0, ARCHITECTURE),  # another one has other numbers
        (JUMP_EQUAL, 1, 0, MACHINES[machine]),
        kill,
        (LOAD, 0, 0, NUMBER),
        (JUMP_GREATER, 0, 1, calls.NEWEST),
        unknown,
    ]

    def decide(name: str, table: calls.Calls, steps: list[Step]) -> None:
        number = table[name][column]
        if number is not None:
            program.extend([(JUMP_EQUAL, 0, len(steps), number), *steps])

    def one_of(argument: int, values: Iterable[int], otherwise: Step) -> list[Step]:
        """Allow the call if the argument has one of the values."""
        tests = [step for value in values for step in ((JUMP_EQUAL, 0, 1, value), allow)]
        return [(LOAD, 0, 0, ARGUMENTS + 8 * argument), *tests, otherwise]

    for name in calls.ENDING:
        decide(name, calls.ENDING, [kill])
    for name in calls.FORKING:
        decide(name, calls.FORKING, [allow if forks else kill])
    for name in calls.SIGNALLING:
        decide(name, calls.SIGNALLING, one_of(0, [own], kill))
    for name in calls.REFUSED:
        decide(name, calls.REFUSED, [refuse])
    for name, commands in CONTROLS.items():
        decide(name, calls.CHECKED, one_of(1, commands, refuse))
    decide("clone3", calls.CHECKED, [unknown])  # libc then calls clone, whose flags can be tested
    threads = [(JUMP_SET, 1, 0, CLONE_THREAD), kill]  # clone makes a thread, or it ends the process
    decide(
        "clone",
        calls.CHECKED,
        [
            (LOAD, 0, 0, ARGUMENTS),
            (JUMP_SET, 0, 1, FOREIGN),
            kill,
            *([] if forks else threads),
            allow,
        ],
    )
    limits = ARGUMENTS + 8 * 2  # the new limits, a pointer of two words
    decide(
        "prlimit64",
        calls.CHECKED,
        [
            (LOAD, 0, 0, limits),
            (JUMP_EQUAL, 1, 0, 0),
            refuse,
            (LOAD, 0, 0, limits + 4),
            (JUMP_EQUAL, 1, 0, 0),
            refuse,
            *one_of(0, [0, own], refuse),
        ],
    )
    return [*program, allow]
