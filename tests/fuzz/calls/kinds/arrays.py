"""Arrays of another type, layout or place, and things that are not arrays but look alike."""

from __future__ import annotations

import array as arrays
import mmap
from typing import Any

import numpy as np

from ..acts import ODD, fitting
from ..case import Case, Kind
from .liars import liar, pretender

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
        case.idiom()  # some bindings ask its buffer for a format, which it does not have
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
    """Return an array of the right type and shape, with a word or two changed."""
    y = x.copy()
    for _ in range(case.rng.choice((1, 1, 2))):
        at, number = case.rng.randrange(max(1, y.size)), case.rng.choice(ODD)
        case.say(f"[{at}] = {number}")
        y.reshape(-1)[at] = fitting(number, y.dtype)
    return y


def inside(case: Case, x: Any) -> Any:
    """Return the same contents, in the memory of another argument or elsewhere in its own."""
    others = [
        n for n, v in case.values.items() if isinstance(v, np.ndarray) and v.nbytes >= x.nbytes
    ]
    name = case.rng.choice(others)
    host = case.values[name].reshape(-1).view(np.uint8)
    steps = (8, 8, 8, 4) if x.dtype.kind == "f" else (8, 8, 8, 1)  # floats stay whole and small
    step = case.rng.choice(steps)
    at = case.rng.randrange(0, host.size - x.nbytes + 1) // step * step
    y = host[at : at + x.nbytes].view(x.dtype).reshape(x.shape)
    y[...] = x.copy()
    case.say(f"in {name} at byte {at}")
    return y


def far(case: Case, x: Any) -> Any:
    """Return one row with false strides."""
    stride = case.rng.choice((0, 1, 2**62, -(2**62), -(2**63)))
    case.say(f"stride {stride}")
    return np.lib.stride_tricks.as_strided(x[:1], strides=(stride, *x.strides[1:]))


def deep(case: Case, x: Any) -> Any:
    """Return the array with more dimensions than any binding counts."""
    return x.reshape((1,) * case.rng.choice((2, 31, 64 - x.ndim)) + x.shape)


def zero_strides(case: Case, x: Any) -> Any:
    """Return a writable array with all items in one place."""
    return np.lib.stride_tricks.as_strided(x, strides=(0,) * x.ndim)


def odd_dtype(case: Case, x: Any) -> Any:
    dtype: Any = case.rng.choice(
        [np.dtype(x.dtype, metadata={"a": 1}), [("x", x.dtype)], [], f"V{x.itemsize}", "T"]
    )
    case.say(str(dtype))
    case.idiom()  # some bindings compare dtypes by their buffer's format
    return x.astype(dtype) if dtype == "T" else x.view(dtype)


def mapped(case: Case, x: Any) -> Any:
    """Return an array over a bytearray, or over a map that is closed when the array is gone."""
    host = bytearray(x.tobytes()) if case.rng.random() < 0.5 else mmap.mmap(-1, max(1, x.nbytes))
    return np.frombuffer(host, x.dtype, x.size).reshape(x.shape)


def owned(case: Case, x: Any) -> Any:
    return x.copy()


def buffer(case: Case, x: Any) -> Any:
    """Return the same memory, or a copy, as a buffer that is not a NumPy array."""
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


def look(text: str, make: Any) -> Kind:
    return Kind(text, lambda case, x: make(x))


ARRAYS = [
    *[Kind("strided", strided), Kind("backwards", backwards), Kind("misaligned", misaligned)],
    *[Kind("packed in a struct", packed), Kind("read-only", read_only)],
    *[Kind("of another dtype", other_dtype)] * 2,
    *[Kind("of another shape", other_shape)] * 3,
    *[Kind("another buffer", buffer)] * 3,
    *[Kind("one row, far apart", far), Kind("of many dimensions", deep)],
    *[Kind("of an odd dtype", odd_dtype), Kind("in mapped memory", mapped)],
    *[Kind("all items in one place", zero_strides)],
    *[Kind("broadcast", broadcast), Kind("an array that owns its memory", owned)],
    *[Kind("words changed", word)] * 5,
    *[Kind("inside another argument", inside)] * 5,
    *[Kind("a subclass that lies or runs", liar, lies=True)] * 8,
    *[Kind("an object that pretends to be an array", pretender, lies=True)] * 2,
    *[look(text, make) for text, make in LOOKS],
]
