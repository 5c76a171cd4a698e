"""Draw cases, run each in every binding, and report the smallest that shows a fault.

Bindings are compared by this rule:

1. No binding may crash, hang, write outside, leak a reference, lose an exception of the caller's,
   or raise a class that the protocol does not name.
2. If no hostile object acts when it is asked, all bindings saw the same arguments; if one does,
   only the bindings that asked the same questions in the same order did. Among these bindings:
   - all results and all written memory are equal, and so are all errors of the kernels;
   - one may not return where another raises, unless an argument lies: then a binding may refuse it
     or use its real value;
   - if the call had only one fault, one may not raise a kernel's error where another refuses.
3. A pattern shows an idiom, which may believe either state of an argument that lies or changes
   another while they are read; then only rule 1 holds.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from support.processes import TESTS, path_with

from .functions import FUNCTIONS
from .grammar import GRAMMAR

BAD = ("crash", "hang", "leak", "swallowed", "stray")
CHANGED = {"text": "buffer", "tensor": "array"}
"""By kind of argument, the rule for its changes where it is not the kind's own."""


class Case(NamedTuple):
    """A call: the texts of its values, of those that take the place of some, and how it is made."""

    function: str
    values: dict[str, str]
    hostile: dict[str, str]
    way: str
    lies: bool
    """True if a binding may refuse what another accepts."""

    def __repr__(self) -> str:
        lines = [f"{name} = {text}" for name, text in self.values.items()]
        lines += [
            f"{name} = {text}  # x is the {name} above" for name, text in self.hostile.items()
        ]
        call = f"f = {FUNCTIONS[self.function].target}; {self.way}"
        return "\n    ".join(["", *lines, call])


class Outcome(NamedTuple):
    """The outcome of a call in one binding: see child.py."""

    status: str
    text: str
    trace: str
    n_hostile: int
    changed: bool


# ---- cases ------------------------------------------------------------------------------------


class Drawer:
    """The texts of one case."""

    def __init__(self, draw: Callable[[Any], Any], kinds: Mapping[str, str]) -> None:
        self.draw, self.kinds, self.marks = draw, kinds, set[str]()

    def text(self, rule: str) -> str:
        """Draw a text of a rule, note its mark, and fill its holes."""
        text = self.draw(st.sampled_from(GRAMMAR[rule]))
        if text[:1] in ("~", "?"):
            self.marks.add(text[0])
            text = text[1:]
        return self.filled(text)

    def filled(self, text: str) -> str:
        return re.sub(r"<([a-z ]+)>", lambda hole: self._hole(hole[1]), text)

    def _hole(self, rule: str) -> str:
        if rule == "act":
            return repr(self.text("act"))
        if rule not in ("name", "changed"):
            return self.text(rule)
        name = self.draw(st.sampled_from(sorted(self.kinds)))
        if rule == "name":
            return name
        kind = CHANGED.get(self.kinds[name], self.kinds[name])
        rule = f"changed {kind}" if f"changed {kind}" in GRAMMAR else "changed container"
        return f"change({name!r}, {self.text(rule)!r})"


@st.composite
def cases(draw: Any, names: Sequence[str]) -> Case:
    """Draw a valid call, then hostile texts for some of its arguments."""
    weighted = [name for name in names for _ in range(FUNCTIONS[name].weight)]
    name = draw(st.sampled_from(weighted))
    function = FUNCTIONS[name]
    drawer = Drawer(draw, function.kinds)
    values = {key: drawer.filled(text) for key, text in function.values.items()}
    able = [key for key, kind in function.kinds.items() if kind != "kept"]
    chosen = (
        draw(st.lists(st.sampled_from(able), min_size=1, max_size=2, unique=True)) if able else []
    )
    hostile = {key: drawer.text(function.kinds[key]) for key in chosen}
    odd_way = name != "life" and draw(st.integers(0, 15)) == 1
    way = drawer.text("way") if odd_way else "f(*a, **k)"
    lies = "~" in drawer.marks or name == "life"
    lies |= "?" in drawer.marks and function.part == "patterns"
    if function.part == "patterns":  # memory that NumPy frees while it is in use
        hostile = {key: text.replace("refcheck=False", "") for key, text in hostile.items()}
    return Case(name, values, hostile, way, lies)


# ---- children ---------------------------------------------------------------------------------


class Child:
    """A process that has one binding."""

    def __init__(self, binding: str, options: Sequence[str]) -> None:
        command = [sys.executable, "-P", "-W", "ignore", "-m", "fuzz.calls.child", binding]
        environment = path_with(TESTS) | {"PYTHONHASHSEED": "0", "PYTHONFAULTHANDLER": ""}
        environment |= {"OPENBLAS_NUM_THREADS": "1"}  # it forks
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [*command, *options], env=environment, stdin=pipe, stdout=pipe, text=True
        )

    def begin(self, case: Case) -> None:
        print(json.dumps(case), file=self.process.stdin, flush=True)

    def end(self) -> Outcome:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "a child has ended"
        return Outcome(*json.loads(line))


@contextmanager
def children(bindings: Iterable[str], options: Sequence[str] = ()) -> Iterator[dict[str, Child]]:
    """Start a process for each binding."""
    started = {name: Child(name, options) for name in bindings}
    try:
        yield started
    finally:
        for child in started.values():
            child.process.communicate()


# ---- comparison -------------------------------------------------------------------------------


def fault(case: Case, outcomes: Mapping[str, Outcome]) -> str:
    """Return the fault that the outcomes of a case show, by binding, or ""."""
    found = [outcome for outcome in outcomes.values() if outcome.status != "absent"]
    if bad := sorted({outcome.status for outcome in found if outcome.status in BAD}):
        return " and ".join(bad)
    changed = any(outcome.changed for outcome in found)
    if FUNCTIONS[case.function].part == "patterns" and (case.lies or changed):
        return ""
    by_trace: dict[str, list[Outcome]] = {}
    for outcome in found:
        by_trace.setdefault(outcome.trace, []).append(outcome)
    return next(filter(None, (_among(group, case.lies) for group in by_trace.values())), "")


def _among(group: Sequence[Outcome], lies: bool) -> str:
    texts: dict[str, set[str]] = {}
    for outcome in group:
        texts.setdefault(outcome.status, set()).add(outcome.text)
    if len(texts.get("result", ())) > 1:
        return "results differ"
    if len(texts.get("kernel", ())) > 1:
        return "errors of the kernels differ"
    if "result" in texts and len(texts) > 1 and not lies:
        return "a result and an error"
    one_fault = max(outcome.n_hostile for outcome in group) < 2
    if {"kernel", "refused"} <= texts.keys() and one_fault and not lies:
        return "an error of the kernels and a refusal"
    return ""


def search(
    running: Mapping[str, Child],
    n: int,
    first: int = 0,
    functions: Sequence[str] = (),
    shrink: bool = True,
) -> None:
    """Raise AssertionError with the smallest of n cases that shows a fault."""

    @seed(first)
    @settings(
        max_examples=n,
        deadline=None,
        database=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, *([Phase.shrink] if shrink else [])],
    )
    @given(cases(functions or list(FUNCTIONS)))
    def check(case: Case) -> None:
        for child in running.values():
            child.begin(case)
        outcomes = {name: child.end() for name, child in running.items()}
        if what := fault(case, outcomes):
            ends = [f"{name}: {it.status} {it.text[:200]}" for name, it in outcomes.items()]
            raise AssertionError("\n    ".join([what, *ends]))

    check()
