"""Objects for an argument that is an array or a buffer, and what each of them stands for."""

from __future__ import annotations

import array
import ctypes
import mmap
from collections.abc import Callable
from typing import Any

import numpy as np


class Lying(np.ndarray):
    """An array whose attributes have nothing to do with its memory."""

    size = nbytes = property(lambda self: 10**9)
    shape = property(lambda self: (10**9,))
    strides = property(lambda self: (1 << 40,))
    ndim = property(lambda self: 1)
    dtype = property(lambda self: np.dtype("f8"))
    ctypes = property(lambda self: ctypes)
    data = __array_interface__ = property(lambda self: 1 / 0)

    def __len__(self) -> int:
        return 10**9

    def __dlpack__(self, **_: Any) -> Any:
        return np.ones(9).__dlpack__()


class Made:
    """An object with the methods that it is made of."""

    def __init__(self, **methods: Callable[..., Any]) -> None:
        self.__class__ = type("Made", (Made,), methods)


def lengthened(kind: type, data: bytes) -> Any:
    """Return the data in a subclass whose `len` is too large."""
    return type("Long", (kind,), {"__len__": lambda self: 10**9})(data)


def misaligned() -> np.ndarray:
    return np.frombuffer(bytearray(8 * 9 + 1), np.uint8)[1:].view("f8")


def given() -> dict[str, Any]:
    """Return objects for an argument that is an array or a buffer."""
    x = np.arange(1.0, 10.0)
    kinds = ["f4", "f2", "g", "i4", "i8", "u1", "u8", "?", "c16", "c8", ">f8", ">i4", "U9", "S9"]
    made = {f"an array of {kind}": x.astype(kind) for kind in kinds}
    lying = Made(__array__=lambda self, *_, **__: "text")
    device = Made(
        __dlpack__=lambda self, **_: x.__dlpack__(), __dlpack_device__=lambda self: (2, 0)
    )
    return made | {
        "float64": x,
        "no items": np.empty(0),
        "no items, 2-D": np.empty((0, 3)),
        "one item": np.array([2.5]),
        "0-d": np.array(3.0),
        "2-D": x.reshape(3, 3),
        "2-D, Fortran's order": np.asfortranarray(x.reshape(3, 3)),
        "every second item": x[::2],
        "backwards": x[::-1],
        "read-only": np.frombuffer(x.tobytes()),
        "misaligned": misaligned(),
        "a lying subclass": x.copy().view(Lying),
        "a record": np.zeros(4, [("a", "f8"), ("b", "i4")]),
        "dates": x.astype("M8[s]"),
        "objects": np.array([object() for _ in range(9)]),
        "floats as objects": x.astype(object),
        "a list": x.tolist(),
        "a list with None": [1.0, None],
        "nested lists": [[1.0], [2.0, 3.0]],
        "a tuple": (1.0, 2.0),
        "None": None,
        "text": "text",
        "a number": 5,
        "bytes": b"123456789",
        "bytes with a lying len": lengthened(bytes, b"123456789"),
        "a bytearray": bytearray(b"123456789"),
        "a bytearray with a lying len": lengthened(bytearray, b"123456789"),
        "a memoryview": memoryview(x),
        "every second byte": memoryview(b"123456789")[::2],
        "a memoryview of 2-D": memoryview(bytes(16)).cast("B", (4, 4)),
        "a released memoryview": released(),
        "array.array": array.array("d", x),
        "ctypes doubles": (ctypes.c_double * 9)(*x),
        "ctypes bytes": (ctypes.c_uint8 * 9)(*b"123456789"),
        "ctypes, 2-D": (ctypes.c_double * 3 * 3)(),
        "a ctypes pointer": ctypes.pointer(ctypes.c_double(2.5)),
        "a map of memory": mmap.mmap(-1, 4096),
        "a lying __array__": lying,
        "__array__ that raises": Made(__array__=lambda self, *_, **__: {}["missing"]),
        "a lying device": device,
        "a lying __dlpack__": Made(__dlpack__=lambda self, **_: 5, __dlpack_device__=device),
        "a lying __len__": Made(
            __len__=lambda self: 1000, __getitem__=lambda self, i: [1.0, 2.0][i]
        ),
        "a short buffer": Made(__buffer__=lambda self, flags: memoryview(bytearray(b"abc"))),
    }


def released() -> memoryview:
    view = memoryview(b"abc")
    view.release()
    return view


def numbers(x: Any) -> np.ndarray | None:
    """Return the numbers in one dimension that an object stands for, or None.

    The capsule of DLPack says itself on which device its memory is, whatever the object says.
    """
    if isinstance(x, str | bytes):
        return None
    try:
        capsule = isinstance(x, Made) and hasattr(x, "__dlpack__")
        seen = np.from_dlpack(x) if capsule else np.asarray(x)
        exact = seen.dtype == object and all(isinstance(item, float) for item in seen.flat)
        return (
            seen.astype("f8") if seen.ndim == 1 and (exact or seen.dtype.kind in "biuf") else None
        )
    except Exception:
        return None


def memory(x: Any) -> bytes | None:
    if isinstance(x, np.ndarray):
        return np.asarray(x).tobytes() if x.flags.c_contiguous else None
    try:
        return bytes(memoryview(x).cast("B"))
    except Exception:
        return None
