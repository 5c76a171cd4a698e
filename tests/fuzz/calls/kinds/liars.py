"""Arrays of subclasses that lie or run code, and objects that pretend to be arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..acts import draw_act
from ..case import Case
from .hostile import Asked, ask


class Liar(np.ndarray):
    """Describe a liar without asking it: some tools describe the objects that they refuse."""

    def __repr__(self) -> str:
        return type(self).__name__


def _property(name: str) -> property:
    real = getattr(np.ndarray, name)

    def get(self: Any) -> Any:
        return _answer(self, name, lambda: real.__get__(self))

    return property(get, lambda self, value: real.__set__(self, value))


def _method(name: str) -> Any:
    real = getattr(np.ndarray, name)

    def method(self: Any, *args: Any, **keywords: Any) -> Any:
        return _answer(self, name, lambda: real(self, *args, **keywords))

    return method


def _answer(self: Any, name: str, real: Any) -> Any:
    """Do the act, and answer with the lie, if there is one for this question."""
    own = vars(self)
    if own.get("busy", True):
        return real()
    own["busy"] = True
    try:
        ask(own["case"], _State(own), name)
        return own["lies"][name] if name in own["lies"] else real()
    finally:
        own["busy"] = False


class _State:
    """The counters of a liar, which are no attributes: reading them would count."""

    def __init__(self, own: dict[str, Any]) -> None:
        self.__dict__ = own


class Finalized(Liar):
    """A liar that is asked whenever an array is made of it."""

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, Finalized):
            _answer(source, "__array_finalize__", lambda: None)


PROPERTIES = ["shape", "strides", "dtype", "flags", "size", "ndim", "nbytes", "itemsize", "data"]
PROPERTIES += ["T", "base", "ctypes", "__array_interface__", "__array_struct__"]
METHODS = ["__len__", "__array__", "__dlpack__", "__dlpack_device__", "__getitem__", "__iter__"]
METHODS += ["astype", "resize", "reshape", "view", "tobytes", "tolist", "copy", "fill"]
METHODS += ["__setitem__", "__array_ufunc__", "__array_function__", "__array_wrap__"]
METHODS += ["__index__", "__float__", "__int__", "__bool__", "__eq__"]
LIARS = {name: type(f"Liar_{name}", (Liar,), {name: _property(name)}) for name in PROPERTIES} | {
    name: type(f"Liar_{name}", (Liar,), {name: _method(name)}) for name in METHODS
}
LIARS["__array_finalize__"] = Finalized
LIARS["everything"] = type(
    "LiarAboutEverything",
    (Liar,),
    {name: _property(name) for name in PROPERTIES} | {name: _method(name) for name in METHODS},
)


def _lie(case: Case, name: str, x: Any) -> Any:
    big = tuple(16 * n + 1 for n in x.shape)
    other = np.zeros(case.rng.choice([0, 1, 5000]), x.dtype)
    return {
        "shape": case.rng.choice([big, (), (0,) * x.ndim, x.shape[::-1], (2**62,) * x.ndim, None]),
        "strides": case.rng.choice([(0,) * x.ndim, (8,) * x.ndim, (2**62,) * x.ndim, (), None]),
        "dtype": np.dtype(case.rng.choice(["f4", "f8", "u1", "i8", "O", "f2"])),
        "flags": np.zeros(1).flags,
        "size": case.rng.choice([0, 10**6, -1]),
        "ndim": case.rng.choice([0, 1, 2, 3, 64]),
        "nbytes": case.rng.choice([0, 10**6, -1]),
        "itemsize": case.rng.choice([0, 1, 64]),
        "data": memoryview(other),
        "ctypes": other.ctypes,
        "__len__": case.rng.choice([0, 10**6, 1]),
        "__array_interface__": other.__array_interface__,
        "__array__": other,
        "__dlpack_device__": (2, 0),
        "tobytes": b"",
        "tolist": [],
    }.get(name)


def liar(case: Case, x: Any) -> Any:
    name = case.rng.choice([*LIARS, "shape", "dtype", "__dlpack__", "everything"])
    y = x.view(LIARS[name])
    own = vars(y)
    own.update(
        case=case, act=draw_act(case), n_asked=0, when=case.rng.choice((0, 0, 1, 2)), lies={}
    )
    case.say(f"its {name}; {own['act'].text}; when {own['when']}")
    if case.rng.random() < 0.6:
        asked = case.rng.choice(PROPERTIES) if name == "everything" else name
        own["lies"] = {asked: _lie(case, asked, x)}
        if name == "__dlpack__":
            own["lies"] = {name: np.zeros(max(0, x.size - 1), x.dtype).__dlpack__()}
        case.say(f"says {asked} = {str(own['lies'][asked])[:50]!r}")
    own["busy"] = False
    return y


class Pretender(Asked):
    """An object that has the protocols of arrays, but is not one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array") or name in PROPERTIES or name == "__dlpack_device__":
            self.case.asked(name)
            return getattr(self.value, name)
        raise AttributeError(name)

    def __dlpack__(self, **keywords: Any) -> Any:
        self.answer("__dlpack__")
        return self.value.__dlpack__(**keywords)

    def __array__(self, *args: Any, **keywords: Any) -> Any:
        return self.answer("__array__")

    def __len__(self) -> int:
        self.answer("__len__")
        return len(self.value)

    def __getitem__(self, at: Any) -> Any:
        self.answer("__getitem__")
        return self.value[at]

    def __buffer__(self, flags: int) -> memoryview:
        self.answer("__buffer__")
        return memoryview(self.value)


def pretender(case: Case, x: Any) -> Any:
    if not isinstance(x, np.ndarray):
        raise TypeError("only an array can be pretended to be")
    return Pretender(case, draw_act(case), x)
