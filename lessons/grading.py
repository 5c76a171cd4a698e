"""Grading a file: build it, run the cases in three modes side by side, and name the rule broken.

The three modes find different faults. `release` counts what each call leaves behind; `development`
fills freed memory and checks the GIL (`python -X dev`); `sanitized` stops at the first byte outside
a buffer (AddressSanitizer and UndefinedBehaviorSanitizer). Each runs in a process of its own.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from bindings.files import open_regular
from lessons import process
from lessons.box import values
from lessons.build import BuildError, build
from lessons.cases import Case, Draw, difference, equal, shown
from lessons.catalogue import Exercise
from lessons.explaining import Finding, explain
from lessons.process import Child, Died, Limits, Place
from lessons.verdict import Test, Verdict

LONGEST_FILE = 1 << 18
LEAST_HEAP = 8
"""Bytes a call must leave behind to be called a leak."""
REPEAT = {"release": 100, "development": 20, "sanitized": 3}
MOST_DEATHS = 3
"""A mode ends when this number of processes has died; the other cases were not run."""
PYTHON = {"python"}
"""The kinds without a compiled file of the learner's."""


@dataclass(frozen=True)
class Mode:
    """One way of running the cases."""

    name: str
    sanitized: bool = False
    options: tuple[str, ...] = ()


RELEASE = Mode("release")


def modes(exercise: Exercise) -> list[Mode]:
    """Return the modes that can find a fault in such an exercise."""
    found = [RELEASE, Mode("development", options=("-X", "dev"))]
    if exercise.kind not in PYTHON or any(path.suffix == ".c" for path in exercise.given):
        found.append(Mode("sanitized", sanitized=True))
    wanted = exercise.about.get("modes")
    return [mode for mode in found if not wanted or mode.name in wanted]


def grade(exercise: Exercise, path: Path, limits: Limits | None = None) -> Verdict:
    """Return the verdict on a file.

    The file is read once: what is hashed is what is built.
    """
    data = read(path)
    seed = secrets.randbits(32)
    verdict = Verdict(exercise.name, hashlib.sha256(data).hexdigest(), seed=seed)
    cases: list[Case] = list(exercise.check().cases(Draw(seed)))
    verdict.tests = [Test(str(case), "not run") for case in cases]
    if not cases:
        verdict.findings.append(Finding("nothing-asked", exercise.name))
        return verdict
    wanted = modes(exercise)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(len(wanted)) as pool:
        source = Path(folder) / exercise.stub.name
        source.write_bytes(data)

        def make(sanitized: bool) -> Path:
            return build(exercise.kind, source, exercise.given, sanitized)

        variants = sorted({mode.sanitized for mode in wanted})
        try:
            built = dict(zip(variants, pool.map(make, variants), strict=True))
        except BuildError as error:
            verdict.findings.append(Finding(error.rule, error.message, error.line))
            return verdict

        def examine(mode: Mode) -> list[Finding]:
            folder = built[mode.sanitized]
            return _Examination(exercise, source, folder, mode, cases, limits, verdict).findings

        for mode, found in zip(wanted, pool.map(examine, wanted), strict=True):
            verdict.findings += found
            verdict.modes[mode.name] = found[0].rule if found else "pass"
    return verdict


def read(path: Path) -> bytes:
    """Return the content of a learner's file; raise ValueError if it cannot be one."""
    try:
        with open_regular(path, follow=False) as file:
            data = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > LONGEST_FILE:
        raise ValueError(f"{path} is longer than {LONGEST_FILE} bytes")
    return data


@contextmanager
def box(exercise: Exercise, built: Path) -> Iterator[Path]:
    """Yield a folder of its own with what was built and the exercise's driver."""
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own) / "box"
        shutil.copytree(built, folder)
        driver = exercise.folder / "drive.py"
        if driver.exists():
            shutil.copy(driver, folder)
        yield folder


def place(
    exercise: Exercise, folder: Path, limits: Limits | None = None, mode: Mode = RELEASE
) -> Place:
    """Return how a process runs what lies in the folder."""
    about = exercise.about
    limits = limits or Limits(seconds=about.get("seconds", Limits.seconds))
    if "memory" in about:
        limits = replace(limits, memory=about["memory"] << 20)
    sanitized = mode.sanitized and exercise.kind != "rust"
    return Place(
        folder,
        library="exercise.so" if (folder / "exercise.so").exists() else "",
        imports=tuple(about.get("imports", ())),
        options=mode.options,
        crash="" if sanitized else str(library("c", "crash.c")),
        count="" if sanitized else str(library("c_api", "count.c")),
        limits=limits,
        sanitized=sanitized,
        variables=sanitizer_variables() if sanitized else (),
        forked=bool(about.get("forks", False)),
    )


class _Examination:
    """One mode's run of all cases; a process that dies is started anew for the next case."""

    def __init__(
        self,
        exercise: Exercise,
        source: Path,
        built: Path,
        mode: Mode,
        cases: list[Case],
        limits: Limits | None,
        verdict: Verdict,
    ) -> None:
        self.exercise, self.source, self.mode, self.cases = exercise, source, mode, cases
        self.limits, self.verdict = limits, verdict
        self.findings: list[Finding] = []
        with box(exercise, built) as self.folder:
            start = 0
            for _ in range(MOST_DEATHS):
                if start < len(cases):
                    start = self._run_from(start)

    def _run_from(self, start: int) -> int:
        """Run the cases from that one on, and return the number of the next one to run."""
        number = -1
        with Child(place(self.exercise, self.folder, self.limits, self.mode)) as child:
            try:
                child.start()
                if "files" in child.held and self.mode.name == "release":
                    self.verdict.sandbox = child.held
                for number in range(start, len(self.cases)):
                    self._run(child, number)
                number = -1
                if self.mode.name == "release":
                    self._calibrate(child)
                child.finish()
            except ImportError as error:
                self.findings.append(self._not_loaded(str(error), child.text()))
                return len(self.cases)
            except Died as died:
                finding = explain(died, self.source.name, self.folder, number)
                if died.how == "time" and number >= 0 and self.cases[number].rule == "deadlock":
                    finding = replace(finding, rule="deadlock")
                case = str(self.cases[number]) if number >= 0 else "when the process ends"
                self._add(replace(finding, message=f"{case}: {finding.message}"))
                return number + 1 if number >= 0 else len(self.cases)
        return len(self.cases)

    def _not_loaded(self, error: str, printed: str) -> Finding:
        """Return why the solution could not be loaded, or its driver not find a function."""
        found = re.match(r"AttributeError: (\S+): undefined symbol: (\w+)", error)
        if not found:
            return Finding("does-not-load", error, self._line_of_error(printed))
        name, line = found[2], self._line_of(found[2])
        mangled = rf"_Z\w*{len(name)}{name}\w*".encode()
        if symbol := re.search(mangled, Path(found[1]).read_bytes()):
            return Finding("mangled-name", f"{name} is {symbol[0].decode():.80} there", line)
        return Finding("missing-function", name, line)

    def _run(self, child: Child, number: int) -> None:
        case = self.cases[number]
        if case.modes and self.mode.name not in case.modes:
            return
        repeat = min(case.repeat, REPEAT[self.mode.name])
        answer = child.ask(
            {
                "call": case.name,
                "driver": case.driver,
                "arguments": values.encode(list(case.arguments)),
                "after": True,
                "repeat": repeat,
                "spare": self.mode.name == "release",
                "count": case.objects is not None and self.mode.name == "release",
            }
        )
        for finding in self._faults(case, answer, repeat):
            self._add(replace(finding, case=number, message=f"{case}: {finding.message}"))
        test = self.verdict.tests[number]
        if test.status == "not run":
            test.status = "pass"

    def _add(self, finding: Finding) -> None:
        self.findings.append(finding)
        if finding.case >= 0:
            test = self.verdict.tests[finding.case]
            test.status, test.message = "fail", finding.message

    def _faults(self, case: Case, answer: dict[str, Any], repeat: int) -> list[Finding]:
        """Return what is wrong with an answer."""
        if "absent" in answer:
            return [Finding("missing-function", str(answer["absent"]))]
        try:
            return self._compare(case, answer, repeat)
        except (ValueError, TypeError, LookupError) as error:
            return [Finding("forged-answer", f"the answer cannot be read: {error}")]

    def _compare(self, case: Case, answer: dict[str, Any], repeat: int) -> list[Finding]:
        found = []
        line = self._line_of(case.name)
        raised = answer.get("raised")
        value = None if raised is not None else values.decode(answer["value"])
        wrong = difference(case.gives, answer, value)
        if raised is not None and str(raised[1]).startswith("module 'exercise' has no attribute"):
            return [Finding("missing-function", str(raised[1]))]
        if raised is not None and "SystemError" in raised[0]:
            for text, rule in (
                ("without setting an exception", "null-without-exception"),
                ("without raising", "null-without-exception"),
                ("without exception set", "null-without-exception"),
                ("with an exception set", "exception-left-set"),
            ):
                if text in raised[1]:
                    found.append(Finding(rule, str(raised[1]), line))
        if wrong:
            rule = case.rule
            for mistake, its_rule in case.mistakes if raised is None else ():
                if equal(mistake, value):
                    rule = its_rule
            if rule == "wrong-answer" and "must raise" in wrong:
                rule = "no-exception" if raised is None else "wrong-exception"
            found.append(Finding(rule, wrong))
        for text in answer.get("lost", ()):
            found.append(Finding("exception-lost", str(text), line))
        after = values.decode(["list", answer["arguments"]])
        if wrong and (case.after is not None or case.rule != "wrong-answer"):
            after = []  # what the call did follows from what it answered
        expected = case.arguments if case.after is None else case.after
        for sent, wanted, now in zip(case.arguments, expected, after, strict=bool(after)):
            if not isinstance(wanted, values.Made) and now is not None and not equal(wanted, now):
                rule = "changed-input" if case.after is None else "not-changed"
                if case.after is not None and not equal(sent, now):
                    rule = case.rule
                found.append(Finding(rule, f"an argument is {shown(now)} after the call", line))
        if repeat and any(answer["exported"]):
            message = "an argument cannot be resized after the call"
            found.append(Finding("buffer-not-released", message, line))
        if repeat and self.mode.name == "release":
            blocks, heap, references = answer["leak"]
            if self.source.suffix == ".py":
                references[-1] = 0  # of None, which weakref.finalize itself releases too often
            found += _leaks([blocks, heap, references], repeat, line)
        if case.objects is not None and answer.get("objects", 0) > case.objects:
            message = f"it allocates {answer['objects']} times; {case.objects} are enough"
            found.append(Finding("too-many-objects", message, line))
        return found

    def _calibrate(self, child: Child) -> None:
        """Leave some objects behind on purpose, and see that they are counted."""
        blocks = 1 + secrets.randbelow(5)
        answer = child.ask({"call": "", "blocks": blocks, "repeat": 100})
        try:
            counted = round(answer["leak"][0] / 100)
        except (LookupError, TypeError):
            counted = -1
        if counted != blocks:
            message = f"{blocks} objects left behind at each call were counted as {counted}"
            self.findings.append(Finding("not-calibrated", message))

    def _line_of(self, name: str) -> int:
        """Return the line on which the learner's file defines the function, or 0."""
        text = self.source.read_text("utf-8", "replace")
        pattern = rf"^(?! *[/*])[^\n;]*\b{re.escape(name)}\b *\((?![^)]*\) *;)"
        if self.source.suffix == ".py":
            pattern = rf"^ *def {re.escape(name)}\b"
        found = re.search(pattern, text, re.MULTILINE)
        return text.count("\n", 0, found.start()) + 1 if found else 0

    def _line_of_error(self, errors: str) -> int:
        found = re.findall(rf'File ".*{re.escape(self.source.name)}", line (\d+)', errors)
        return int(found[-1]) if found else 0


def _leaks(leak: list[Any], repeat: int, line: int) -> list[Finding]:
    blocks, heap, references = leak
    found = []
    enough = 0.9 * repeat
    if any(more <= -enough for more in references):
        fewer = min(references) / repeat
        found.append(Finding("released-borrowed", f"{-fewer:g} references too few a call", line))
    elif blocks < enough and any(more >= enough for more in references[:-1]):
        more = max(references[:-1]) / repeat
        found.append(Finding("reference-kept", f"{more:g} references a call", line))
    elif references[-1] >= enough:
        found.append(Finding("leaked-object", "references to None are left behind", line))
    if blocks >= enough:
        found.append(Finding("leaked-object", f"{blocks / repeat:g} objects a call", line))
    elif heap >= LEAST_HEAP * repeat:
        found.append(Finding("leaked-memory", f"{heap / repeat:.0f} bytes a call", line))
    return found


@cache
def sanitizer_variables() -> tuple[tuple[str, str], ...]:
    """Return the environment in which an interpreter loads sanitized modules."""
    names = ("libasan.so", "libubsan.so", "libstdc++.so.6")
    found = [
        subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True).stdout
        for name in names
    ]
    options = "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1"
    # faulthandler shows the Python frames of an abort; a fault is reported by AddressSanitizer.
    options += ":abort_on_error=1:handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2"
    return (
        ("LD_PRELOAD", ":".join(path.strip() for path in found)),
        ("ASAN_OPTIONS", f"{options}:handle_abort=1:hard_rss_limit_mb=4096"),
        ("UBSAN_OPTIONS", "print_stacktrace=0:abort_on_error=1"),
        ("PYTHONMALLOC", "malloc"),
    )


def library(kind: str, name: str) -> Path | str:
    """Return a library of the box, built, or nothing without a compiler.

    It is looked up each time, which also marks it as in use, since old builds are removed.
    """
    try:
        folder = build(kind, process.BOX / name, (), False)
    except BuildError:
        return ""
    return next(folder.glob("exercise*.so"))
