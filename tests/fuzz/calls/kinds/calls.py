"""Callables, tensors and points that lie, raise or call back, and odd ways to call a function."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..acts import draw_act
from ..case import Case, Kind
from .hostile import Asked
from .numbers import CLASSES, PLAIN, of_class


class Callable(Asked):
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.answer("__call__")


def callable_of(case: Case, function: Any) -> Any:
    value = case.rng.choice([1.5, 1.5, *PLAIN])
    if case.rng.random() < 0.4:
        value = of_class(case.rng.choice(CLASSES))(case, 2.5)
    case.say(f"returns {str(value)[:30]}")
    return Callable(case, draw_act(case), value)


def not_callable(case: Case, function: Any) -> Any:
    return case.rng.choice(
        [None, 5, "text", float, print, int, lambda: 1, lambda x, y: x, abs, 1.5]
    )


CALLABLES = [Kind("a callable that runs", callable_of)] * 3 + [
    Kind("not the right callable", not_callable)
]


class Tensor(Asked):
    """An object with the tensor protocol, which may return anything."""

    def __dlpack_device__(self) -> Any:
        self.answer("__dlpack_device__")
        return (1, 0)

    def __dlpack__(self, *args: Any, **keywords: Any) -> Any:
        self.answer("__dlpack__")
        value = self.value
        return value.__dlpack__(**keywords) if isinstance(value, np.ndarray) else value


def tensor(case: Case, x: Any) -> Any:
    used = x.copy().__dlpack__()
    np.from_dlpack(
        type(
            "Once", (), {"__dlpack__": lambda s, **k: used, "__dlpack_device__": lambda s: (1, 0)}
        )()
    )
    other = case.rng.choice(
        [x, x.astype("f4"), x.reshape(1, -1), x[:0], None, 5, "x", used, x.__dlpack__()]
    )
    case.say(f"hands out {type(other).__name__} {getattr(other, 'dtype', '')}")
    return Tensor(case, draw_act(case), other)


TENSORS = [Kind("an object with __dlpack__", tensor)]


def half_made(case: Case, point: Any) -> Any:
    return _made(lambda: type(point).__new__(type(point)))


def sub_point(case: Case, point: Any) -> Any:
    return _made(lambda: type("SubPoint", (type(point),), {})(1.0, 2.0))


def _made(make: Any) -> Any:
    """Return the object that a binding makes, or None if it refuses."""
    try:
        return make()
    except TypeError:
        return None


def not_a_point(case: Case, point: Any) -> Any:
    class Like:
        x, y = 1.0, 2.0

    return case.rng.choice(
        [None, (1.0, 2.0), 5, Like(), type(point), [1.0, 2.0], {"x": 1.0, "y": 2.0}]
    )


POINTS = [
    Kind("made by __new__ alone", half_made, lies=True),
    Kind("of a subclass", sub_point, lies=True),
]
POINTS += [Kind("not a point", not_a_point)]


# ---- how the function is called ---------------------------------------------------------------


class Name(str):
    """A keyword that equals any other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def missing(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args[:-1], **keywords)


def all_missing(function: Any, *args: Any, **keywords: Any) -> Any:
    return function()


def extra(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args, *args, *range(9), **keywords)


def unknown(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args, **keywords, unknown=1)


def unknown_alone(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(**{"unknown\ud800": 1, "": 2})


def lying_name(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args, **keywords, **{Name("unknown"): 1})


def twice(function: Any, *args: Any, **keywords: Any) -> Any:
    names = ("a", "buffer", "text", "texts", "ids", "model", "x", "value")
    return function(*args, **{**dict.fromkeys(names, 1), **keywords})


def positional(function: Any, *args: Any, **keywords: Any) -> Any:
    return function(*args, *keywords.values(), None)


WAYS = [missing, all_missing, extra, unknown, unknown_alone, lying_name, twice, positional]


def way(called_as: Any) -> Kind:
    text = called_as.__name__.replace("_", " ")
    lies = called_as is lying_name
    return Kind(f"arguments: {text}", lambda case, _: called_as, lies)


CALLS = [way(called_as) for called_as in WAYS]
