"""The rule by which bindings are compared.

1. Nobody may crash, hang, write outside, lose an exception of the caller's, or raise a class that
   the protocol does not name.
2. Where no hostile object acts when it is asked, all bindings saw the same arguments; where one
   does, those did that asked the same questions in the same order. Among them:
   - all results are equal, with all that was written, and so are all errors of the kernels;
   - one that returns stands against one that raises, unless an argument lies: then a binding may
     refuse the liar or go by what it really is;
   - where only one thing was wrong with the call, an error of the kernels stands against a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .case import Case

LIVES = {
    "a life": ("new", "pickle", "copy", "deepcopy", "init", "subclass", "base", "set", "delete"),
    "Tokenizer's life": ("new", "init twice", "init bad", "init again", "subclass"),
}

BAD = ("crash", "hang", "damage", "swallowed", "stray")
Outcome = tuple[str, Any, Any]
"""Status, what identifies its text, what identifies its trace."""


def own_way(case: Case) -> bool:
    """Return True if bindings may end this case in different ways, but not by a crash or the like.

    These are the exceptions from the rule:
    - the lives of objects: each technology makes, copies and subclasses objects in its own way;
    - a pattern of an argument that lies: it may be believed;
    - nb::ndarray, which the patterns of nanobind show, drops what an array's own __dlpack__ raises,
      and asks for its buffer;
    - a pattern one of whose arguments changes another while it is asked: each technology reads its
      arguments in an order of its own, and Python says IndexError or RuntimeError of a container
      that shrinks meanwhile. Arguments that a pattern may take or refuse call `Case.idiom`.
    """
    if case.function.part == "patterns" and (case.lies or case.changed):
        return True
    return case.values.get("life") in LIVES.get(case.function.name, ())


def fault(outcomes: Mapping[str, Outcome], n_corruptions: int, lies: bool) -> str:
    """Return what is wrong with the outcomes of one case by binding; "" if nothing is."""
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
