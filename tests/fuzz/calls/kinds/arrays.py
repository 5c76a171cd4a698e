"""Arrays of another type, layout or place, and things that are not arrays but look alike."""

from __future__ import annotations

import array as arrays
from typing import Any

import numpy as np

from ..acts import ODD, draw_act, fitting
from ..case import Case, Kind
from .hostile import Asked, ask

DTYPES = ["i1", "u1", "i2", "i4", "u4", "i8", "u8", "q", "f2", "f4", "f8", "F", "D", "?", "O"]
DTYPES += ["M8[s]", "m8[s]", "S8", "V8", "U2", "c"]


class Sub(np.ndarray):
    """A plain subclass."""


def strided(case: Case, x: Any) -> Any:
    step = case.rng.choice([2, 3, -1, -2])
    big = np.zeros((*x.shape[:-1], x.shape[-1] * abs(step)), x.dtype)
    big[..., ::step] = x
    return big[..., ::step]


def backwards(case: Case, x: Any) -> Any:
    return np.ascontiguousarray(x[::-1])[::-1]


def misaligned(case: Case, x: Any) -> Any:
    raw = np.zeros(x.nbytes + 8, np.uint8)
    y = raw[case.rng.randrange(1, 8) :][: x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x
    return y


def packed(case: Case, x: Any) -> Any:
    y = np.zeros(x.shape, [("v", x.dtype), ("t", "u1")])["v"]
    y[...] = x
    return y


def _read_only(case: Case) -> None:
    if case.function.name == "dlpack_in":
        case.idiom()  # NumPy exports such an array only by the second version of DLPack


def read_only(case: Case, x: Any) -> Any:
    _read_only(case)
    y = x.copy()
    y.setflags(write=False)
    return y


def other_dtype(case: Case, x: Any) -> Any:
    name = case.rng.choice(DTYPES)
    case.say(name)
    if name[0] in "Mm":
        case.idiom()  # some ask its buffer for a format, which it does not have
    return x.astype(name) if case.rng.random() < 0.5 else x.view(name)


def other_shape(case: Case, x: Any) -> Any:
    how = case.rng.randrange(8)
    return [
        lambda: x[None],
        lambda: x.reshape(-1),
        lambda: x[:0],
        lambda: x[..., :0],
        lambda: x[..., :-1].copy(),
        lambda: x[:-1],
        lambda: x.reshape(-1)[0],
        lambda: np.array(x.reshape(-1)[0]),
    ][how]()


def broadcast(case: Case, x: Any) -> Any:
    _read_only(case)
    return np.broadcast_to(x.reshape(-1)[:1], x.shape)


def word(case: Case, x: Any) -> Any:
    """The right type and shape, with a word or two changed."""
    y = x.copy()
    for _ in range(case.rng.choice((1, 1, 2))):
        at, number = case.rng.randrange(max(1, y.size)), case.rng.choice(ODD)
        case.say(f"[{at}] = {number}")
        y.reshape(-1)[at] = fitting(number, y.dtype)
    return y


def inside(case: Case, x: Any) -> Any:
    """The same contents, in the memory of another argument or in its own at another place."""
    others = [
        n for n, v in case.values.items() if isinstance(v, np.ndarray) and v.nbytes >= x.nbytes
    ]
    name = case.rng.choice(others)
    host = case.values[name].reshape(-1).view(np.uint8)
    at = case.rng.randrange(0, host.size - x.nbytes + 1) & case.rng.choice((~7, ~7, ~7, ~0))
    y = host[at : at + x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x.copy()
    case.say(f"in {name} at byte {at}")
    return y


def owned(case: Case, x: Any) -> Any:
    return x.copy()


def buffer(case: Case, x: Any) -> Any:
    """The same memory, or a copy, as a buffer that is not a NumPy array."""
    case.idiom()  # a typed memoryview and nb::ndarray take any buffer
    return case.rng.choice(
        [
            lambda: memoryview(x),
            lambda: memoryview(x).cast("B"),
            lambda: bytearray(x.tobytes()),
            lambda: x.tobytes(),
            lambda: arrays.array(x.dtype.char, x.reshape(-1).tolist()),
        ]
    )()


LOOKS = [
    ("a list", lambda x: x.tolist()),
    ("a subclass", lambda x: x.view(Sub)),
    ("a masked array", lambda x: np.ma.masked_array(x)),
    ("a matrix", lambda x: np.matrix(x, copy=False)),
    ("a recarray", lambda x: x.view(np.recarray)),
    ("byte-swapped", lambda x: x.astype(x.dtype.newbyteorder())),
    ("in Fortran's order", lambda x: np.asfortranarray(x)),
    ("None", lambda x: None),
    ("a str", lambda x: "text"),
    ("a number", lambda x: 5),
    ("a class", lambda x: np.ndarray),
    ("a dtype", lambda x: x.dtype),
    ("an object array", lambda x: x.astype(object)),
    ("an array of one more, cut", lambda x: np.resize(x, (x.shape[0] + 1, *x.shape[1:]))[1:]),
]


class Liar(np.ndarray):
    """A liar is described without being asked: some tools describe what they refuse."""

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
    """Do the act, and answer with the lie where there is one for this question."""
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
    """The counters of a liar, which must not be asked for as its attributes."""

    def __init__(self, own: dict[str, Any]) -> None:
        self.__dict__ = own


PROPERTIES = ["shape", "strides", "dtype", "flags", "size", "ndim", "nbytes", "itemsize", "data"]
PROPERTIES += ["T", "base", "ctypes", "__array_interface__", "__array_struct__"]
METHODS = ["__len__", "__array__", "__dlpack__", "__dlpack_device__", "__getitem__", "__iter__"]
METHODS += [
    "astype",
    "resize",
    "reshape",
    "view",
    "tobytes",
    "tolist",
    "copy",
    "__setitem__",
    "fill",
]
METHODS += [
    "__array_ufunc__",
    "__array_function__",
    "__index__",
    "__float__",
    "__int__",
    "__bool__",
]
LIARS = {name: type(f"Liar_{name}", (Liar,), {name: _property(name)}) for name in PROPERTIES} | {
    name: type(f"Liar_{name}", (Liar,), {name: _method(name)}) for name in METHODS
}
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


def look(text: str, make: Any) -> Kind:
    return Kind(text, lambda case, x: make(x))


ARRAYS = [
    *[Kind("strided", strided), Kind("backwards", backwards), Kind("misaligned", misaligned)],
    *[Kind("packed in a struct", packed), Kind("read-only", read_only)],
    *[Kind("of another dtype", other_dtype)] * 2,
    *[Kind("of another shape", other_shape)] * 3,
    *[Kind("another buffer", buffer)] * 3,
    *[Kind("broadcast", broadcast), Kind("an array that owns its memory", owned)],
    *[Kind("words changed", word)] * 5,
    *[Kind("inside another argument", inside)] * 5,
    *[Kind("a subclass that lies or runs", liar, lies=True)] * 8,
    *[Kind("an object that pretends to be an array", pretender, lies=True)] * 2,
    *[look(text, make) for text, make in LOOKS],
]
