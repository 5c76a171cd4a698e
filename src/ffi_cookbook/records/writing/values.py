"""The content of a tf.train.Feature, from a Python value or an array."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ffi_cookbook.records.writing.headers import message, varint
from ffi_cookbook.wire import encode_varints

BYTES, FLOAT, INT64 = 1, 2, 3  # the fields of a tf.train.Feature
_LITTLE = np.dtype("<f4")

Content: TypeAlias = tuple[int, bytes, bool]
"""The field (0: none), the content of its list, and whether that is a single packed run or string,
which is here without its head."""


def content_of(name: str, value: Any) -> Content:
    """Return the content of a feature with this value.

    Raises:
        OverflowError, TypeError: see `encode_example`.
    """
    kind = type(value)
    if kind is bytes:
        return BYTES, value, True
    if kind is list and (items := tuple(value)):  # another thread may change the list
        return _items(name, items)
    if kind is int and 0 <= value < 128:
        return INT64, _ONE_BYTE[value], True
    if isinstance(value, int):
        number = int.__index__(value)
        if not -(2**63) <= number < 2**63:
            raise _overflow(name, number)
        return INT64, varint(number & (1 << 64) - 1), True  # two's complement
    if isinstance(value, np.ndarray):
        if type(value) is not np.ndarray:
            refuse_mask(f"feature {name!r}", value)
        if value.dtype.kind not in "SUTO":
            return _numbers(name, value)
        if value.dtype.kind == "S":
            raise TypeError(
                f"feature {name!r}: an array of {value.dtype} cannot hold a NUL at the end of "
                "a string: give a list of bytes or an array of objects"
            )
        value = value.reshape(-1).tolist()
        if not value:
            return BYTES, b"", False
    elif isinstance(value, float):
        try:
            return FLOAT, _PACK_FLOATS[1](value), True
        except OverflowError:  # which `_numbers` raises with the name
            pass
    elif not isinstance(value, list | tuple) and (string := _string(value)) is not None:
        return BYTES, string, True
    if isinstance(value, list | tuple):
        items = tuple(value)
        return _items(name, items) if items else (0, b"", False)
    return _numbers(name, value)


def _items(name: str, values: Sequence[Any]) -> Content:
    first = values[0]
    if isinstance(first, int):
        try:
            integers = _PACK_INTEGERS[len(values)](*values)
        except (struct.error, TypeError):  # not all are integers, or not all fit
            if all(isinstance(item, int) for item in values):  # NumPy would make floats of them
                beyond = next(item for item in values if not -(2**63) <= item < 2**63)
                raise _overflow(name, beyond) from None
        else:
            return INT64, encode_varints(integers), True
    elif isinstance(first, float):
        try:
            return FLOAT, _PACK_FLOATS[len(values)](*values), True
        except (struct.error, OverflowError):  # not all are numbers, or not all fit
            pass
    elif _string(first) is not None:
        strings = [item for item in map(_string, values) if item is not None]
        if len(strings) == len(values):
            return BYTES, b"".join(message(1, item) for item in strings), False
    return _numbers(name, values)


class _Packers(dict[int, Callable[..., bytes]]):
    """A cache of functions that pack n Python numbers, four times as fast as `array` does."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self._letter = letter

    def __missing__(self, n: int) -> Callable[..., bytes]:
        pack = struct.Struct(f"<{n}{self._letter}").pack  # with < it raises OverflowError
        if len(self) < 1024:
            self[n] = pack
        return pack


_PACK_INTEGERS, _PACK_FLOATS = _Packers("q"), _Packers("f")
_ONE_BYTE = [bytes((value,)) for value in range(128)]  # the varints of small integers


def refuse_mask(what: str, values: Any) -> None:
    """Raise TypeError if an array has masked values or nulls, or one in nested lists has."""
    if isinstance(values, list | tuple):
        for item in values:
            if type(item) not in (int, float):
                refuse_mask(what, item)
        return
    nulls = getattr(values, "null_count", 0)  # of pyarrow; in polars it is a method
    if np.ma.is_masked(values) or (nulls() if callable(nulls) else nulls):
        raise TypeError(f"{what}: masked values and nulls cannot be written: fill or drop them")


def _numbers(name: str, values: Any) -> Content:
    if not isinstance(values, np.ndarray):
        refuse_mask(f"feature {name!r}", values)
    try:
        numbers = np.asarray(values)
    except ValueError as error:
        raise TypeError(f"feature {name!r}: {error}") from None
    kind = numbers.dtype.kind
    if kind == "f":
        if numbers.itemsize > _LITTLE.itemsize:
            try:
                with np.errstate(over="raise"):
                    numbers = numbers.astype(_LITTLE)
            except FloatingPointError:
                message = f"feature {name!r}: a finite number does not fit a float32"
                raise OverflowError(message) from None
        return FLOAT, numbers.astype(_LITTLE, copy=False).tobytes(), numbers.size > 0
    if kind not in "biu":
        raise TypeError(f"feature {name!r}: {numbers.dtype} values are neither numbers nor bytes")
    if kind == "u" and numbers.itemsize == 8 and numbers.size and int(numbers.max()) >= 2**63:
        raise _overflow(name, int(numbers.max()))
    integers = numbers.astype(np.int64, copy=False).tobytes()
    return INT64, encode_varints(integers), numbers.size > 0


def _string(value: Any) -> bytes | None:
    """Return the bytes of a string, a message or a buffer of bytes, or None for anything else.

    No method of a subclass is called: the object's own content is written.
    """
    if isinstance(value, bytes):
        return bytes.__getitem__(value, slice(None))
    if isinstance(value, str):
        return str.encode(value)
    if (serialize := getattr(value, "SerializeToString", None)) is not None:
        return bytes.__getitem__(serialize(), slice(None))
    if isinstance(value, np.ndarray | np.generic | array):  # numbers, even if they are uint8
        return None
    try:
        view = memoryview(value)
    except TypeError:
        return None
    return view.tobytes() if view.format.lstrip("@=<>!") in ("B", "b", "c") else None


def _overflow(name: str, value: int) -> OverflowError:
    return OverflowError(f"feature {name!r}: {value} does not fit an int64")
