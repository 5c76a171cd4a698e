"""Texts, lists of texts and names of special tokens that lie or run code."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..acts import draw_act
from ..case import Case, Kind
from .buffers import BytesSub, lying
from .hostile import Asked, ask


class StrSub(str):
    """A plain subclass."""


class LyingStr(str):
    """A str whose own methods lie or run code."""

    case: Case
    lies: dict[str, Any]

    def _answer(self, what: str, real: Any) -> Any:
        ask(self.case, self, what)
        return self.lies.get(what, real)

    def encode(self, *args: Any) -> Any:
        return self._answer("encode", str.encode(self, *args))

    def __len__(self) -> int:
        return self._answer("str.__len__", str.__len__(self))

    def __iter__(self) -> Any:
        return self._answer("str.__iter__", str.__iter__(self))

    def __getitem__(self, at: Any) -> Any:
        return self._answer("str.__getitem__", str.__getitem__(self, at))

    def __str__(self) -> Any:
        return self._answer("__str__", str.__str__(self))

    def __hash__(self) -> int:
        ask(self.case, self, "str.__hash__")
        return str.__hash__(self)

    def __eq__(self, other: object) -> Any:
        return self._answer("str.__eq__", str.__eq__(self, other))


def lying_str(case: Case, text: Any) -> Any:
    liar = LyingStr(text if isinstance(text, str) else bytes(text).decode())
    liar.lies = case.rng.choice(
        [{}, {}, {"encode": b"zz" * 400}, {"encode": b"\xff"}, {"encode": 5}, {"encode": ""},
         {"str.__len__": 0}, {"str.__len__": 10**6}, {"__str__": "zz"}, {"str.__eq__": True}]
    )  # fmt: skip
    liar.act, liar.n_asked, liar.when = draw_act(case), 0, case.rng.choice((0, 1, 2))
    liar.case = case
    case.say(f"says {str(liar.lies)[:50]}; {liar.act.text}")
    return liar


def other_text(case: Case, text: Any) -> Any:
    value = case.rng.choice(
        ["", "\ud800", "a\udfffb", "\0", "a\0b", "é" * 50, "x" * 3000, "\U0010ffff", b"", b"\xff",
         b"\xc3", b"a\0", b"\xed\xa0\x80", b"plain", None, 5, 1.5, bytearray(b"a"),
         memoryview(b"a"),
         ["a"], ("a",), np.array(["a"]), np.array(b"a"), str,
         "<|end|>", b"<|end|>", "<|a|><|end|"]
    )  # fmt: skip
    case.say(repr(value)[:40])
    return value


def subclass(case: Case, text: Any) -> Any:
    case.idiom()  # some patterns take str and nothing else
    return case.rng.choice([np.str_("abc"), np.bytes_(b"abc"), StrSub("ab c"), BytesSub(b"ab c")])


def bytes_of(case: Case, text: Any) -> Any:
    return lying(case, text.encode(errors="replace") if isinstance(text, str) else text)


TEXTS = [
    *[Kind("another text, or something else", other_text)] * 4,
    Kind("a subclass of str or bytes", subclass),
    *[Kind("a str that lies or runs", lying_str, lies=True)] * 3,
    *[Kind("bytes that lie or run", bytes_of, lies=True)] * 3,
]


# ---- lists ------------------------------------------------------------------------------------


class LyingList(list[Any]):
    """A list whose own methods lie or run code."""

    def _answer(self, what: str, real: Any) -> Any:
        ask(self.case, self, what)
        return self.lies.get(what, real)

    def __len__(self) -> int:
        return self._answer("list.__len__", list.__len__(self))

    def __iter__(self) -> Any:
        return self._answer("list.__iter__", list.__iter__(self))

    def __getitem__(self, at: Any) -> Any:
        return self._answer("list.__getitem__", list.__getitem__(self, at))


class LyingTuple(tuple[Any, ...]):
    """A tuple whose own methods lie or run code."""

    _answer = LyingList._answer

    def __len__(self) -> int:
        return self._answer("tuple.__len__", tuple.__len__(self))

    def __iter__(self) -> Any:
        return self._answer("tuple.__iter__", tuple.__iter__(self))

    def __getitem__(self, at: Any) -> Any:
        return self._answer("tuple.__getitem__", tuple.__getitem__(self, at))


class LyingDict(dict[Any, Any]):
    """A dict whose own methods lie or run code."""

    _answer = LyingList._answer

    def __len__(self) -> int:
        return self._answer("dict.__len__", dict.__len__(self))

    def __iter__(self) -> Any:
        return self._answer("dict.__iter__", dict.__iter__(self))

    def items(self) -> Any:
        return self._answer("items", dict.items(self))

    def keys(self) -> Any:
        return self._answer("keys", dict.keys(self))

    def __getitem__(self, at: Any) -> Any:
        return self._answer("dict.__getitem__", dict.__getitem__(self, at))

    def __contains__(self, key: object) -> Any:
        return self._answer("dict.__contains__", dict.__contains__(self, key))


class LyingSet(set[Any]):
    """A set whose own methods lie or run code; some tools describe the objects that they refuse."""

    _answer = LyingList._answer

    def __repr__(self) -> str:
        return type(self).__name__

    def __len__(self) -> int:
        return self._answer("set.__len__", set.__len__(self))

    def __iter__(self) -> Any:
        return self._answer("set.__iter__", set.__iter__(self))

    def __contains__(self, item: object) -> Any:
        return self._answer("set.__contains__", set.__contains__(self, item))


def lying_container(case: Case, items: Any) -> Any:
    kind: Any = LyingList if case.rng.random() < 0.5 else LyingTuple
    if isinstance(items, (dict, set)):
        kind = LyingDict if isinstance(items, dict) else LyingSet
    liar = kind(items)
    short = kind.__name__[5:].lower()
    liar.lies = case.rng.choice(
        [{}, {f"{short}.__len__": 0}, {f"{short}.__len__": 10**6}, {f"{short}.__iter__": iter([])},
         {f"{short}.__getitem__": None}, {f"{short}.__iter__": iter([None] * 99)}, {"items": []}]
    )  # fmt: skip
    liar.act, liar.n_asked, liar.when = draw_act(case), 0, case.rng.choice((0, 1, 2))
    liar.case = case
    case.say(f"{short}: says {str(liar.lies)[:50]}; {liar.act.text}")
    return liar


class Iterable(Asked):
    """An iterable that does its act when it is asked for an item."""

    def __iter__(self) -> Any:
        for item in self.value:
            self.answer("__next__")
            yield item

    def __contains__(self, item: object) -> bool:
        self.answer("__contains__")
        return True


def iterable(case: Case, items: Any) -> Any:
    return Iterable(case, draw_act(case), list(items))


def generator(case: Case, items: Any) -> Any:
    return iter(Iterable(case, draw_act(case), list(items)))


def hostile_item(case: Case, items: Any) -> Any:
    """Return a list with one hostile text or number, which may change the list."""
    from .numbers import NUMBERS

    kinds = TEXTS if any(isinstance(item, (str, bytes)) for item in items) else NUMBERS
    kind = case.rng.choice(kinds)
    case.lies |= kind.lies
    case.say(kind.text)
    if isinstance(items, dict):
        key = case.rng.choice([*items])
        changed = dict(items)
        if case.rng.random() < 0.5:
            changed[key] = case.rng.choice(NUMBERS).make(case, items[key])
        else:
            changed[TEXTS[-5].make(case, key)] = 1.0
        return changed
    changed = list(items)
    at = case.rng.randrange(len(changed))
    changed[at] = kind.make(case, changed[at])
    return set(changed) if isinstance(items, set) else changed


def other_container(case: Case, items: Any) -> Any:
    value = case.rng.choice(
        [tuple(items), list(items), [], (), {}, None, 5, "all", "other", "", b"all", iter([]),
         [None], [[]], range(3), np.array([1.0, 2.0]), np.array(["a"]), {1.0: 2}, {"a": 1},
         {"a": None}, set()]
    )  # fmt: skip
    case.say(repr(value)[:40])
    return value


CONTAINERS = [
    *[Kind("another container, or something else", other_container)] * 3,
    *[Kind("a subclass that lies or runs", lying_container, lies=True)] * 3,
    *[Kind("an item that lies or runs", hostile_item, lies=True)] * 5,
    Kind("an iterable that runs", iterable, lies=True),
    Kind("a generator that runs", generator, lies=True),
]
