"""Hostile objects: they do their act when they are asked, and then answer or lie."""

from __future__ import annotations

from typing import Any

from ..acts import Act, draw_act
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


def asked_class(*names: str) -> type[Asked]:
    """Return a class of objects with these special methods."""

    def method(name: str) -> Any:
        return lambda self, *_: self.answer(name)

    return type(names[0].strip("_").title(), (Asked,), {name: method(name) for name in names})


def lying_class(base: type, names: tuple[str, ...], **attributes: Any) -> Any:
    """Return a subclass whose own methods of these names lie or run code."""

    def method(name: str) -> Any:
        real = getattr(base, name)

        def answer(self: Any, *args: Any) -> Any:
            truth = real(self, *args)
            ask(self.case, self, f"{base.__name__}.{name}")
            return self.lies.get(name, truth)

        return answer

    methods = {name: method(name) for name in names if hasattr(base, name)}
    return type(f"Lying{base.__name__.title()}", (base,), methods | attributes)


def lying(case: Case, liar: Any, lies: list[dict[str, Any]]) -> Any:
    """Make ready an object of a lying class, which tells one of the lies."""
    liar.lies = case.rng.choice(lies)
    liar.act, liar.n_asked, liar.when = draw_act(case), 0, case.rng.choice((0, 1, 2))
    liar.case = case
    case.say(f"says {str(liar.lies)[:50]}; {liar.act.text}")
    return liar
