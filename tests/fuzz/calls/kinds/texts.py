"""Texts, lists of texts and names of special tokens that lie or run code."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..acts import draw_act
from ..case import Case, Kind
from .buffers import BytesSub, lying_bytes
from .hostile import Asked, lying, lying_class


class StrSub(str):
    """A plain subclass."""


LyingStr = lying_class(
    str, ("encode", "__len__", "__iter__", "__getitem__", "__str__", "__hash__", "__eq__")
)


def lying_str(case: Case, text: Any) -> Any:
    lies = [
        {}, {}, {"encode": b"zz" * 400}, {"encode": b"\xff"}, {"encode": 5}, {"encode": ""},
        {"__len__": 0}, {"__len__": 10**6}, {"__str__": "zz"}, {"__eq__": True},
    ]  # fmt: skip
    return lying(case, LyingStr(text if isinstance(text, str) else bytes(text).decode()), lies)


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
    return lying_bytes(case, text.encode(errors="replace") if isinstance(text, str) else text)


TEXTS = [
    *[Kind("another text, or something else", other_text)] * 4,
    Kind("a subclass of str or bytes", subclass),
    *[Kind("a str that lies or runs", lying_str, lies=True)] * 3,
    *[Kind("bytes that lie or run", bytes_of, lies=True)] * 3,
]


# ---- lists ------------------------------------------------------------------------------------


SEQUENCE = ("__len__", "__iter__", "__getitem__")
LYING = {
    list: lying_class(list, SEQUENCE),
    tuple: lying_class(tuple, SEQUENCE),
    dict: lying_class(dict, (*SEQUENCE, "items", "keys", "__contains__")),
    set: lying_class(
        set,
        ("__len__", "__iter__", "__contains__"),
        __repr__=lambda self: type(self).__name__,  # tools describe the objects that they refuse
    ),
}


def lying_container(case: Case, items: Any) -> Any:
    kind = list if case.rng.random() < 0.5 else tuple
    if isinstance(items, (dict, set)):
        kind = dict if isinstance(items, dict) else set
    lies = [
        {}, {"__len__": 0}, {"__len__": 10**6}, {"__iter__": iter([])}, {"__getitem__": None},
        {"__iter__": iter([None] * 99)}, {"items": []},
    ]  # fmt: skip
    return lying(case, LYING[kind](items), lies)


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
