"""The result of a check, as a value and as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from .explaining import Finding
from .rules import rank, sentences

VERSION = 1
ERRORS = {"missing-tool", "does-not-compile", "does-not-load", "nothing-asked", "sandbox-missing"}
"""The rules without which nothing of the solution could be tested."""


@dataclass
class Test:
    """The outcome of one case, in all modes together."""

    name: str
    status: str = "pass"
    """`pass`, `fail`, or `not run` where an earlier case ended the process in every mode."""
    message: str = ""


@dataclass
class Verdict:
    """The verdict on one file."""

    exercise: str
    sha256: str
    """The hash of the file that was graded."""
    findings: list[Finding] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    modes: dict[str, str] = field(default_factory=dict)
    """For each mode `pass` or the rule broken there, or why it did not run."""
    sandbox: list[str] = field(default_factory=list)
    """What the platform could forbid the process."""
    seed: int = 0

    @property
    def finding(self) -> Finding | None:
        """Return the most telling fault: what only the end of a process shows is the last."""

        def order(found: Finding) -> tuple[bool, int, bool, int]:
            late = found.case < 0 and found.rule not in ERRORS
            return late, rank(found.rule), not found.line, found.case % len(self.tests or [0])

        return min(self.findings, key=order, default=None)

    @property
    def status(self) -> str:
        """Return `pass`, `fail`, or `error` if nothing could be tested."""
        if self.finding is None:
            return "pass"
        return "error" if self.finding.rule in ERRORS else "fail"

    def json(self) -> dict[str, Any]:
        """Return the verdict in a form for JSON."""
        finding = self.finding
        return {
            "version": VERSION,
            "exercise": self.exercise,
            "sha256": self.sha256,
            "status": self.status,
            "rule": finding.rule if finding else None,
            "sentence": sentences()[finding.rule] if finding else None,
            "message": finding.message if finding else None,
            "line": finding.line if finding else None,
            "tests": [asdict(test) for test in self.tests],
            "modes": self.modes,
            "sandbox": self.sandbox,
            "seed": self.seed,
        }
