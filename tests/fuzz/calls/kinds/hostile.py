"""The base of the hostile objects: they do their act when they are asked, and then answer."""

from __future__ import annotations

from typing import Any

from ..acts import Act
from ..case import Case


class Asked:
    """An object that does its act each time, or only the first or second time, it is asked."""

    def __init__(self, case: Case, act: Act, value: Any) -> None:
        self.case, self.act, self.value = case, act, value
        self.n_asked, self.when = 0, case.rng.choice((0, 0, 0, 1, 2))
        if act.text:
            case.say(act.text + ("", ", the first time", ", the second time")[self.when])

    def answer(self, what: str) -> Any:
        ask(self.case, self, what)
        return self.value


def ask(case: Case, who: Any, what: str) -> None:
    """Note the question, and do the act."""
    case.asked(what)
    who.n_asked += 1
    if case.depth == 0 and who.when in (0, who.n_asked) and who.n_asked < 50:
        who.act.run(case)
