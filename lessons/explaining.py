"""The rule that a process broke, and the line, from the way in which the process died."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .process import LONGEST_TEXT, MOST_TASKS, Died

SANITIZER = [
    (r"heap-buffer-overflow|stack-buffer-overflow|global-buffer-overflow|container-overflow", ""),
    (r"heap-use-after-free|stack-use-after-(?:return|scope)", "use-after-free"),
    (r"attempting double-free|attempting free on address which was not", "double-free"),
    (r"alloc-dealloc-mismatch", "wrong-free"),
    (r"use-after-poison", "device-memory"),
    (r"stack-overflow", "stack-overflow"),
    (r"SEGV on unknown address 0x0000000000[0-9a-f]{2}\b", "null-dereference"),
]
UNDEFINED = [
    (r"signed integer overflow|cannot be represented", "integer-overflow"),
    (r"null pointer", "null-dereference"),
    (r"out of bounds", "read-outside"),
    (r"", "undefined-behaviour"),
]
ASSERTED = [  # by libstdc++ with _GLIBCXX_ASSERTIONS
    (r"this->size\(\)|size\(\)|empty\(\)|_M_", "read-outside"),
    (r"get\(\) != pointer\(\)|nullptr", "null-dereference"),
    (r"", "undefined-behaviour"),
]
FATAL = [
    (r"GIL|thread state", "no-gil"),
    (r"returned NULL without setting", "null-without-exception"),
    (r"(?:none|bool)_dealloc|deallocating None|negative ref", "released-borrowed"),
    (r"bad (?:leading|trailing) pad byte|bad ID", "write-outside"),
    (r"corrupted|invalid (?:size|pointer|next size)|double free|munmap_chunk", "double-free"),
    (r"stack overflow", "stack-overflow"),
]

FORBIDDEN = "unsafe precondition(s) violated: "
"""What Rust's standard library writes before it says what an unsafe function requires."""


NATIVE = ("exercise", "operators")
"""Libraries that know nothing of Python."""


@dataclass(frozen=True)
class Finding:
    """One fault that was observed."""

    rule: str
    message: str
    line: int = 0
    case: int = -1
    """The number of the case during which it was seen, -1 if during none."""

    def __post_init__(self) -> None:
        """Shorten a message that the learner's process has made too long."""
        if len(self.message) > LONGEST_TEXT:
            object.__setattr__(self, "message", f"{self.message[:LONGEST_TEXT]} …")


OWN_SIGNALS = re.compile(
    r"^Fatal Python error: (?:Segmentation fault|Aborted|Bus error|Illegal instruction"
    r"|Floating-point exception)\n",
    re.MULTILINE,
)
"""What faulthandler writes about a signal, which is not an error that Python found."""


def explain(died: Died, source: str, folder: Path, case: int) -> Finding:
    """Return the rule that a death shows to be broken, a short message, and the line.

    `source` is the name of the learner's file and `folder` that of the built solution.
    """
    text = OWN_SIGNALS.sub("", died.errors)
    if source.endswith(".py") or any((folder / f"{name}.so").exists() for name in NATIVE):
        text = text.replace("NO GIL\n", "")  # ctypes, cffi and torch release it around each call
    if died.how == "forged":
        return Finding("forged-answer", "the pipe held something that is not an answer", 0, case)
    if died.how == "time":
        return Finding("too-long", "the call did not return in time", 0, case)
    if died.how == "tasks":
        return Finding("forbidden-call", f"more than {MOST_TASKS} threads and processes", 0, case)
    if died.how == "memory":
        return Finding("too-much-memory", "more memory than the checker allows", 0, case)
    if found := re.search(rf"{re.escape(source)}:(\d+):\d+: runtime error: (.*)", text):
        rule = next(rule for pattern, rule in UNDEFINED if re.search(pattern, found[2]))
        return Finding(rule, found[2], int(found[1][:9]), case)
    if found := re.search(r":\d+:\d+: runtime error: (.*)", text):  # in a file that was given
        rule = next(rule for pattern, rule in UNDEFINED if re.search(pattern, found[1]))
        return Finding(rule, found[1], _line(text, source, folder), case)
    if found := re.search(
        r"^(\S+) is being called while the GIL is either not held", text, re.MULTILINE
    ):
        line = _line(text, source, folder)
        return Finding("no-gil", f"{found[1]} was called without the GIL", line, case)
    if found := re.search(r"terminate called (.*)(?:\n  what\(\):  (.*))?", text):
        thrown = re.search(r"instance of '(.*)'", found[1])
        message = ": ".join(part for part in (thrown and thrown[1], found[2]) if part)
        return Finding("exception-escaped", message, _line(text, source, folder), case)
    if found := re.search(r": Assertion '(.*)' failed", text):
        rule = next(rule for pattern, rule in ASSERTED if re.search(pattern, found[1]))
        message = f"the C++ library requires {found[1]}"
        return Finding(rule, message, _line(text, source, folder), case)
    if found := re.search(r"ERROR: AddressSanitizer: (?!ABRT)(.*)", text):
        return _sanitizer(found[1], text, source, case)
    if found := re.search(rf"panicked at (?:\S*/)?{re.escape(source)}:(\d+):\d+:\n(.*)", text):
        message = found[2].removeprefix(FORBIDDEN)
        rule = "panic" if message == found[2] else "unsafe-contract"
        return Finding(rule, message, int(found[1][:9]), case)
    if found := re.search(r"panicked at \S+:\d+:\d+:\n(.*)", text):  # in another crate
        return Finding("panic", found[1], _line(text, source, folder), case)
    line = _line(text, source, folder)
    address = re.search(r"^ADDRESS (0x[0-9a-f]+)$", text, re.MULTILINE)
    if address and _is_truncated(address[1], source):
        return Finding("truncated-pointer", f"there is no memory at {address[1]}", line, case)
    if died.status == -signal.SIGSYS:
        return Finding("forbidden-call", "fork, exec, socket or kill", line, case)
    if died.status == -signal.SIGXFSZ:
        return Finding("wrote-too-much", "more than 1 MiB", line, case)
    if died.status in (-signal.SIGXCPU, -signal.SIGKILL):
        return Finding("too-long", "the call used too much processor time", line, case)
    if found := re.search(r"Fatal Python error: (.*)", text):
        for pattern, rule in FATAL:
            if re.search(pattern, text):
                return Finding(rule, found[1], line, case)
        return Finding("crashed", found[1], line, case)
    if "AddressSanitizer: nested bug" in text:
        return Finding("crashed", "the report of an error crashed, too", line, case)
    if died.status >= 0:
        last = text.strip().splitlines()[-1:] or [""]
        return Finding("ended-process", f"exit code {died.status} {last[0]:.200}", line, case)
    if re.search(r"^FREED$", text, re.MULTILINE):
        return Finding(
            "use-after-free", "an object or memory was used after it was freed", line, case
        )
    if re.search(r"^NO GIL$", text, re.MULTILINE) and not _is_own(text, folder):
        return Finding("no-gil", "a function of Python's crashed without the GIL", line, case)
    text = text.replace("NO GIL\n", "")  # the learner's own code may well run without it
    for pattern, rule in FATAL:
        if found := re.search(rf"^.*(?:{pattern}).*$", text, re.MULTILINE):
            return Finding(rule, found[0][:200], line, case)
    name = signal.strsignal(-died.status) or f"signal {-died.status}"
    return Finding("crashed", f"the process ended: {name}", line, case)


def unconverted(raised: str) -> str:
    """Return the signature in which a C++ type has no converter, or nothing."""
    if "incompatible function arguments" in raised or "Unable to convert" in raised:
        found = re.search(r"^.*\bstd::.*$", raised, re.MULTILINE)
        return found[0].strip()[:200] if found else ""
    return ""


def alive_at_exit(text: str) -> str:
    """Return nanobind's report of leaks at the interpreter's end, or nothing."""
    left = re.findall(
        r"^nanobind: leaked (\d+ (?:instances|keep_alive records))!$", text, re.MULTILINE
    )
    kinds = re.findall(
        r'^ - leaked instance \S+ of type "(?:exercise\.)?(.*)"$', text, re.MULTILINE
    )
    named = f", of {', '.join(sorted(set(kinds)))}" if kinds else ""
    return f"{' and '.join(left)}{named}" if left else ""


def _sanitizer(kind: str, text: str, source: str, case: int) -> Finding:
    rule = next((rule for pattern, rule in SANITIZER if re.search(pattern, kind)), "crashed")
    access = re.search(r"\b(READ|WRITE) of size (\d+)", text)
    message = kind.split(" on ")[0]
    if access:
        verb = "read" if access[1] == "READ" else "wrote"
        message = f"{verb} {access[2]} bytes: {message}"
    if not rule:
        rule = "write-outside" if access and access[1] == "WRITE" else "read-outside"
    address = re.search(r"(?:unknown address|was not malloc\(\)-ed:) (0x[0-9a-f]+)", kind)
    if address and _is_truncated(address[1], source):
        rule, message = "truncated-pointer", f"there is no memory at {address[1]}"
    line = _line_of_sanitizer(text, source) or _line_of_python(text, source)
    return Finding(rule, message, line, case)


def _is_truncated(address: str, source: str) -> bool:
    """Return True if Python code passed an address that is a C int, sign-extended to 64 bits."""
    value = int(address, 16)
    return source.endswith(".py") and (4096 <= value < 1 << 32 or value >= (1 << 64) - (1 << 31))


def _line_of_sanitizer(text: str, source: str) -> int:
    found = re.search(rf"#\d+ 0x\w+ in .*?\b{re.escape(source)}:(\d+)", text)
    return int(found[1][:9]) if found else 0


def _line_of_python(text: str, source: str) -> int:
    """Return the line of the innermost frame in the learner's Python file, or 0."""
    found = re.search(rf'^  File ".*\b{re.escape(source)}", line (\d+) in', text, re.MULTILINE)
    return int(found[1][:9]) if found else 0


def last_line(source: str, text: str) -> int:
    """Return the last line of the learner's Python file that a traceback names, or 0."""
    lines = re.findall(rf'File ".*{re.escape(source)}", line (\d+)', text)
    return int((lines or ["0"])[-1][:9])


def _is_own(text: str, folder: Path) -> bool:
    """Return True if the code that crashed is the learner's: two frames are the signal's own."""
    frames = re.findall(r"^FRAME (.*) 0x[0-9a-f]+$", text, re.MULTILINE)
    return any(Path(path).parent == folder for path in frames[:3])


def _line(text: str, source: str, folder: Path) -> int:
    """Return the line of the first frame of a crash report in the learner's file, or 0."""
    if source.endswith(".py"):
        return _line_of_python(text, source)
    if line := _line_of_sanitizer(text, source):
        return line
    frames = re.findall(r"^FRAME (.*) (0x[0-9a-f]+)$", text, re.MULTILINE)
    own = [(path, offset) for path, offset in frames if Path(path).parent == folder]
    program = shutil.which("addr2line")
    if not own or not program:
        return 0
    command = [program, "-e", own[0][0], *(offset for path, offset in own if path == own[0][0])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (subprocess.TimeoutExpired, ValueError):  # both read what the learner has made
        return 0
    found = re.search(rf"{re.escape(source)}:(\d+)", done.stdout)
    return int(found[1][:9]) if found else 0
