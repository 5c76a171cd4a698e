"""The rule by which bindings are compared.

1. No binding may crash, hang, write outside, lose an exception of the caller's, or raise a class
   that the protocol does not name.
2. If no hostile object acts when it is asked, all bindings saw the same arguments; if one does,
   only the bindings that asked the same questions in the same order did. Among these bindings:
   - all results and all written memory are equal, and so are all errors of the kernels;
   - one may not return where another raises, unless an argument lies: then a binding may refuse it
     or use its real value;
   - if the call had only one fault, one may not raise a kernel's error where another refuses.
   Odd lives of an object count as lies: a technology that cannot copy or subclass refuses.
3. A pattern shows an idiom. An idiom may accept what another refuses (`Case.idiom`), and may
   believe either state of an argument that lies or changes another while they are read; then only
   rule 1 holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .case import Case

BAD = ("crash", "hang", "damage", "swallowed", "stray")
Outcome = tuple[str, Any, Any]
"""Status, what identifies its text, what identifies its trace."""


def idiom_alone(case: Case) -> bool:
    """Return True if the idiom of a technology alone decides how this case ends (rule 3)."""
    return case.function.part == "patterns" and (case.lies or case.changed)


def fault(outcomes: Mapping[str, Outcome], n_corruptions: int, lies: bool) -> str:
    """Return the fault in the outcomes of one case, which are given by binding, or ""."""
    found = {name: it for name, it in outcomes.items() if it[0] not in ("absent", "none")}
    if bad := sorted({f"{status}" for status, _, _ in found.values() if status in BAD}):
        return " and ".join(bad)
    by_trace: dict[Any, list[Outcome]] = {}
    for outcome in found.values():
        by_trace.setdefault(outcome[2], []).append(outcome)
    return next(
        filter(None, (_among(group, n_corruptions, lies) for group in by_trace.values())), ""
    )


def _among(group: Iterable[Outcome], n_corruptions: int, lies: bool) -> str:
    texts: dict[str, set[Any]] = {}
    for status, text, _ in group:
        texts.setdefault(status, set()).add(text)
    if len(texts.get("result", ())) > 1:
        return "results differ"
    if len(texts.get("kernel", ())) > 1:
        return "errors of the kernels differ"
    if "result" in texts and len(texts) > 1 and not lies:
        return "a result and an error"
    if {"kernel", "refused"} <= texts.keys() and n_corruptions < 2 and not lies:
        return "an error of the kernels and a refusal"
    return ""
