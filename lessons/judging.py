"""Judging an answer: the result, exception, changes and leaks of a call, compared with its case."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .box import values
from .cases import Case, Raises, difference, equal, shown
from .explaining import Finding, unconverted

LEAST_HEAP = 8
"""Bytes a call must leave behind to be called a leak."""
LEAST_HEAP_OF_TORCH = 64
"""The same for torch, whose aligned allocations leave small gaps."""
REFUSALS = {"BufferError", "TypeError", "ValueError"}
"""What refuses an argument, and so may break the rule of a case; another exception has its own."""
NEVER_RETURNS = {"deadlock", "held-across-call"}
"""The rules that a call breaks which does not return, if its case names one of them."""
DEFINITIONS = {".py": r"^ *def {}\b", ".rs": r"\bfn +{}\b"}
SYSTEM_ERRORS = {
    "without setting an exception": "null-without-exception",
    "without raising": "null-without-exception",
    "without exception set": "null-without-exception",
    "with an exception set": "exception-left-set",
}


def stuck(case: Case) -> str:
    """Return the rule that is broken when the case's call does not return."""
    named = {case.rule, *(rule for _, rule in case.mistakes)} & NEVER_RETURNS
    return named.pop() if named else "too-long"


def line_of(source: Path, name: str) -> int:
    """Return the line on which the learner's file defines the function, or 0."""
    text = source.read_text("utf-8", "replace")
    pattern = DEFINITIONS.get(source.suffix, r"^(?! *[/*])[^\n;]*\b{}\b *\((?![^)]*\) *;)")
    found = re.search(pattern.format(re.escape(name)), text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


@dataclass(frozen=True)
class Judge:
    """A judge of the answers of one mode's process."""

    source: Path
    counts: bool
    """What a call leaves behind is judged."""
    imports: tuple[str, ...]

    def faults(self, case: Case, answer: dict[str, Any], repeat: int) -> list[Finding]:
        """Return the fault of an answer."""
        if "absent" in answer:
            return [Finding("missing-function", str(answer["absent"]))]
        try:
            return self._compare(case, answer, repeat)
        except Exception as error:  # the answer may be anything that JSON can say
            return [Finding("forged-answer", f"the answer cannot be read: {error}")]

    def _compare(self, case: Case, answer: dict[str, Any], repeat: int) -> list[Finding]:
        line = line_of(self.source, case.name)
        raised = answer.get("raised")
        if raised is not None and (finding := _not_called(str(raised[1]), line)):
            return [finding]
        found = _system_errors(raised, line)
        wrong = _wrong_result(case, answer)
        found += wrong
        found += [Finding("exception-lost", str(text), line) for text in answer.get("lost", ())]
        if not wrong or (case.after is None and case.rule == "wrong-answer"):
            found += _changed(case, answer, line)
        if repeat and any(answer["exported"]):
            message = "an argument cannot be resized after the call"
            found.append(Finding("buffer-not-released", message, line))
        if repeat and self.counts:
            found += self._left_behind(answer, repeat, line)
        if case.objects is not None and answer.get("objects", 0) > case.objects:
            message = f"it allocates {answer['objects']} times; {case.objects} are enough"
            found.append(Finding("too-many-objects", message, line))
        return found

    def _left_behind(self, answer: dict[str, Any], repeat: int, line: int) -> list[Finding]:
        blocks, heap, references = answer["leak"]
        if self.source.suffix == ".py":
            references[-1] = 0  # of None, which weakref.finalize itself releases too often
        if "torch" in self.imports and heap < LEAST_HEAP_OF_TORCH * repeat:
            heap = 0
        found = []
        enough = 0.9 * repeat
        if any(more <= -enough for more in references):
            fewer = -min(references) / repeat
            found.append(Finding("released-borrowed", f"{fewer:g} references too few a call", line))
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


def _not_called(message: str, line: int) -> Finding | None:
    """Return the reason why the learner's code was not reached, if the exception shows one."""
    if message.startswith("module 'exercise' has no attribute"):
        return Finding("missing-function", message)
    if signature := unconverted(message):
        return Finding("missing-converter", signature, line)
    if message.startswith(("'_OpNamespace'", "Could not run '")):
        return Finding("not-registered", message)
    return None


def _system_errors(raised: Any, line: int) -> list[Finding]:
    if raised is None or "SystemError" not in raised[0]:
        return []
    message = str(raised[1])
    return [Finding(rule, message, line) for text, rule in SYSTEM_ERRORS.items() if text in message]


def _wrong_result(case: Case, answer: dict[str, Any]) -> list[Finding]:
    raised = answer.get("raised") is not None
    value = None if raised else values.decode(answer["value"])
    wrong = difference(case.gives, answer, value)
    if not wrong:
        return []
    for mistake, rule in case.mistakes:
        if isinstance(mistake, Raises) == raised and not difference(mistake, answer, value):
            return [Finding(rule, wrong)]
    must_raise = isinstance(case.gives, Raises)
    refused = raised and REFUSALS.intersection(answer["raised"][0])
    if raised and (case.rule == "wrong-answer" or not refused):
        return [Finding("wrong-exception" if must_raise else "unexpected-exception", wrong)]
    if must_raise and case.rule == "wrong-answer":
        return [Finding("no-exception", wrong)]
    nothing = value is None and not raised and not must_raise  # as a stub returns it
    return [Finding("wrong-answer" if nothing else case.rule, wrong)]


def _changed(case: Case, answer: dict[str, Any], line: int) -> list[Finding]:
    """Return the arguments that are wrong after the call."""
    found = []
    after = values.decode(["list", answer["arguments"]])
    expected = case.arguments if case.after is None else case.after
    for sent, wanted, now in zip(case.arguments, expected, after, strict=True):
        if isinstance(wanted, values.Made) or now is None or equal(wanted, now):
            continue
        if case.after is None:
            rule = "changed-input"
        else:
            rule = "not-changed" if equal(sent, now) else case.rule
        found.append(Finding(rule, f"an argument is {shown(now)} after the call", line))
    return found
