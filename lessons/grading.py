"""Grading a file: build it, run the cases in three modes in parallel, and name the broken rule.

The three modes find different faults. `release` counts the objects and memory that each call leaves
behind; `development` fills freed memory and checks the GIL (`python -X dev`); `sanitized` stops at
the first byte outside a buffer (AddressSanitizer and UndefinedBehaviorSanitizer). Each runs in a
process of its own.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import util
from pathlib import Path

from ffi_cookbook.files import open_regular

from .box import values
from .building import BuildError, build
from .building.compiled import LIBRARY
from .cases import ANYTHING, Case, Draw, Raises
from .catalogue import Exercise
from .explaining import Finding, alive_at_exit, explain, last_line
from .judging import Judge, line_of, stuck
from .modes import PYTHON, Mode, box, modes, place
from .process import Child, Died, Limits
from .verdict import Test, Verdict

LONGEST_FILE = 1 << 18
REPEAT = {"release": 100, "development": 20, "sanitized": 3}
STEERS_SANITIZER = re.compile(
    r"\b\w*(?:no_sanitize|no_address_safety|disable_sanitizer|(?i:__sanitize)|__[almtu]+san_)\w*"
    r"|has_feature\s*\(\s*\w*sanitizer\w*|#!?\[\s*(?:cfg\w*\(\s*)?sanitize\b|\bcfg!\(\s*sanitize\b"
)
"""The attributes and macros that switch a sanitizer off, or show that it is on."""
MOST_DEATHS = 3
"""A mode ends when this number of processes has died; the other cases were not run."""


def grade(
    exercise: Exercise, path: Path, limits: Limits | None = None, root: Path | None = None
) -> Verdict:
    """Return the verdict on a file, which no link below the folder `root` may lead to.

    The file is read only once, so the hashed text is the one that is built.
    """
    data = read(path, root)
    text = data.decode("utf-8", "replace")
    seed = secrets.randbits(32)
    verdict = Verdict(exercise.name, hashlib.sha256(data).hexdigest(), seed=seed)
    cases: list[Case] = list(exercise.check().cases(Draw(seed)))
    verdict.tests = [Test(str(case), "not run") for case in cases]
    if not cases:
        verdict.findings.append(Finding("nothing-asked", exercise.name))
        return verdict
    if absent := [name for name in exercise.about.get("imports", ()) if not installed(name)]:
        message = f"{absent[0]} is not installed: pip install {absent[0]}"
        verdict.findings.append(Finding("missing-tool", message))
        return verdict
    if exercise.kind not in PYTHON and (steering := steers_sanitizer(text)):
        verdict.findings.append(steering)
        return verdict
    wanted = modes(exercise)
    variants = {mode.sanitized for mode in wanted}
    threads = len(wanted) + len(variants)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(threads) as pool:
        source = Path(folder) / exercise.file
        source.write_bytes(data)
        builds = {
            sanitized: pool.submit(build, exercise.kind, source, exercise.given, sanitized)
            for sanitized in sorted(variants)
        }

        def examine(mode: Mode) -> list[Finding]:
            built = builds[mode.sanitized].result()
            return _Examination(exercise, source, built, mode, cases, limits, verdict).findings

        try:
            found = dict(zip(wanted, pool.map(examine, wanted), strict=True))
        except BuildError as error:
            verdict.tests = [Test(str(case), "not run") for case in cases]
            verdict.findings.append(Finding(error.rule, error.message, error.line))
            return verdict
    for mode, findings in found.items():
        verdict.findings += findings
        verdict.modes[mode.name] = findings[0].rule if findings else "pass"
    if nothing_is_right(cases, verdict):
        verdict.findings = [unrefined(cases, finding) for finding in verdict.findings]
    return verdict


def attempt(exercise: Exercise, path: Path, root: Path) -> Verdict:
    """Return the verdict on one of many files, whatever happens: the others are graded too."""
    try:
        return grade(exercise, path, root=root)
    except Exception as error:
        verdict = Verdict(exercise.name, "")
        verdict.findings.append(Finding("not-graded", f"{type(error).__name__}: {error}"))
        return verdict


def nothing_is_right(cases: list[Case], verdict: Verdict) -> bool:
    """Return True if each case that expects a plain value fails, as those of a stub do."""
    plain = [
        test.status
        for case, test in zip(cases, verdict.tests, strict=True)
        if case.rule == "wrong-answer"
        and case.gives is not ANYTHING
        and not isinstance(case.gives, Raises)
    ]
    return set(plain) == {"fail"}


def unrefined(cases: list[Case], finding: Finding) -> Finding:
    """Return the finding; where nothing was refused, without the rule of what has to be refused."""
    case = cases[finding.case] if finding.case >= 0 else None
    if case and isinstance(case.gives, Raises) and finding.rule == case.rule:
        return replace(finding, rule="no-exception")
    return finding


def steers_sanitizer(text: str) -> Finding | None:
    """Return a finding if the source can switch the sanitizers off, or behave well under them."""
    joined = re.sub(r"\\\r?\n", "", text)  # a backslash continues a line, even within a word
    found = STEERS_SANITIZER.search(text) or STEERS_SANITIZER.search(joined)
    if not found:
        return None
    line = text.count("\n", 0, found.start()) + 1 if found.string is text else 0
    return Finding("steers-sanitizer", f"{found[0]} is in the file", line)


def installed(name: str) -> bool:
    """Return True if the package of a module is installed."""
    return util.find_spec(name.split(".")[0]) is not None


def read(path: Path, root: Path | None = None) -> bytes:
    """Return the content of a learner's file; raise ValueError if it cannot be one."""
    root = root or path.parent
    for folder in path.relative_to(root).parents:
        if (root / folder).is_symlink() and root / folder != root:
            raise ValueError(f"{root / folder} is a link: a submission has its own folders")
    try:
        with open_regular(path, follow=False) as file:
            data = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(data) > LONGEST_FILE:
        raise ValueError(f"{path} is longer than {LONGEST_FILE} bytes")
    return data


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
        self.judge = Judge(source, mode.name == "release", exercise.about.get("imports", ()))
        self.findings: list[Finding] = []
        with box(exercise, built) as self.folder:
            start = 0
            for _ in range(MOST_DEATHS):
                if start < len(cases):
                    start = self._run_from(start)

    def _run_from(self, start: int) -> int:
        """Run the cases from that one on, and return the number of the next one to run."""
        number, phase = -1, "when the file is loaded"
        with Child(place(self.exercise, self.folder, self.limits, self.mode)) as child:
            try:
                child.start()
                if "files" in child.held and self.mode.name == "release":
                    self.verdict.sandbox = child.held
                for number in range(start, len(self.cases)):
                    self._run(child, number)
                number, phase = -1, "when the process ends"
                if self.mode.name == "release":
                    self._calibrate(child)
                child.finish()
                left = alive_at_exit(child.text()) if self.exercise.kind == "nanobind" else ""
                if left:
                    self._add(Finding("alive-at-exit", f"when Python has ended: {left}"))
            except ImportError as error:
                self.findings.append(self._not_loaded(str(error), child.text()))
                return len(self.cases)
            except Died as died:
                finding = explain(died, self.source.name, self.folder, number)
                if died.how == "time" and number >= 0:
                    finding = replace(finding, rule=stuck(self.cases[number]))
                case = str(self.cases[number]) if number >= 0 else phase
                self._add(replace(finding, message=f"{case}: {finding.message}"))
                return number + 1 if number >= 0 else len(self.cases)
        return len(self.cases)

    def _not_loaded(self, error: str, printed: str) -> Finding:
        """Return the reason why the solution could not be loaded, or a function was not found."""
        found = re.match(r"AttributeError: \S+: undefined symbol: (\w+)", error)
        library = self.folder / LIBRARY
        if not found or not library.exists():
            return Finding("does-not-load", error, last_line(self.source.name, printed))
        name, line = found[1], line_of(self.source, found[1])
        mangled = rf"_Z\w{{0,99}}?{len(name)}{name}\w*".encode()
        if symbol := re.search(mangled, library.read_bytes()):
            return Finding("mangled-name", f"{name} is {symbol[0].decode():.80} there", line)
        if line and self.source.suffix == ".rs":
            return Finding("mangled-name", f"{name} is not exported", line)
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
        for finding in self.judge.faults(case, answer, repeat):
            self._add(replace(finding, case=number, message=f"{case}: {finding.message}"))
        test = self.verdict.tests[number]
        if test.status == "not run":
            test.status = "pass"

    def _add(self, finding: Finding) -> None:
        self.findings.append(finding)
        if finding.case >= 0:
            test = self.verdict.tests[finding.case]
            test.status, test.message = "fail", finding.message

    def _calibrate(self, child: Child) -> None:
        """Leave some objects behind on purpose, and check that they are counted."""
        blocks = 1 + secrets.randbelow(5)
        answer = child.ask({"call": "", "blocks": blocks, "repeat": 100})
        try:
            counted = round(answer["leak"][0] / 100)
        except (LookupError, TypeError, ValueError, OverflowError):
            counted = -1
        if counted != blocks:
            message = f"{blocks} objects left behind at each call were counted as {counted}"
            self.findings.append(Finding("not-calibrated", message))
