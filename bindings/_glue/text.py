"""The conversion of text and ids for a kernel, for the bindings whose glue is written in Python.

A subclass can override `len`, `encode` or `dtype`, and a kernel would believe what they return. So
the methods of the base class are called, and the kernel gets an object of the base class.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np

from ffi_cookbook.bindings._glue.arrays import byte_view
from ffi_cookbook.bindings._glue.bpe.specials import ordinary_policy
from ffi_cookbook.bindings._glue.surrogates import replace_surrogates
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array, Uint32Array

_GIL = getattr(sys, "_is_gil_enabled", lambda: True)()  # else shared objects slow threads down
AnyArray = TypeVar("AnyArray", Uint32Array, Int64Array)


def utf8(text: Any) -> bytes:
    """Return the UTF-8 of a str with its lone surrogates replaced, or bytes unchanged."""
    kind = type(text)
    if kind is str or issubclass(kind, str):
        try:
            return str.encode(text)
        except UnicodeEncodeError:
            return replace_surrogates(text).encode()
    if kind is bytes:
        return cast("bytes", text)
    if issubclass(kind, bytes):
        return bytes.__getitem__(text, slice(None))
    raise TypeError(f"text must be str or bytes, not {kind.__name__}")


def copied(texts: Any) -> tuple[Any, ...]:
    """Return the texts of a list or tuple, which another thread may change, at this moment."""
    if not issubclass(type(texts), (list, tuple)):
        kind = type(texts).__name__
        raise TypeError(f"texts must be a list or tuple of str or bytes, not {kind}")
    return tuple(texts)


def sources_of(texts: Any) -> tuple[bytes, ...]:
    """Return the UTF-8 of each text of a list or tuple."""
    return tuple(map(utf8, copied(texts)))


def cut_to(array: AnyArray, n: int) -> AnyArray:
    """Return the array, cut in place to its first n items.

    Nothing else may have a view of it.
    """
    array.resize(n, refcheck=False)
    return array


def model_bytes(blob: Any) -> bytes:
    """Return a model's blob as bytes, which nothing can change.

    The array of a `Model` is a view of such bytes, and these are returned; anything else is copied.
    """
    if type(blob) is bytes:
        return blob
    if type(blob) is np.ndarray:
        below: Any = blob.base
        below = below.obj if type(below) is memoryview else below
        if type(below) is bytes and (blob.shape, blob.strides) == ((len(below),), (1,)):
            return below  # with that size and these strides the array covers all of the bytes
    return bytes(memoryview(blob))


def asked(model: Any) -> tuple[Any, Any, bytes, bytes]:
    """Return a model's special_names, its two policies, and its blob as `model_bytes`.

    Reading these attributes can run any code, so a tokenizer reads them first, and once.
    """
    try:
        names, policy, blob = model.special_names, model.default_policy, model.blob
    except AttributeError as error:
        kind = type(model).__name__
        raise TypeError(f"model must be a ffi_cookbook.tokenizer.Model, not {kind}") from error
    return names, policy, ordinary_policy(policy), model_bytes(blob)


def plain_ids(name: str, ids: Any) -> Uint32Array:
    """Return a 1-D C-contiguous uint32 array, or raise TypeError or ValueError."""
    if not issubclass(type(ids), np.ndarray):
        raise TypeError(f"{name} must be a numpy array of uint32")
    if type(ids) is not np.ndarray:
        ids = np.ndarray.view(ids, np.ndarray)
    if ids.dtype != np.uint32:
        raise TypeError(f"{name} must be a numpy array of uint32")
    if ids.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional")
    if not ids.flags.c_contiguous or not ids.flags.aligned:
        raise ValueError(f"{name} must be C-contiguous and aligned")
    return ids  # type: ignore[no-any-return]


def as_ids(ids: Iterable[int] | Uint32Array) -> Uint32Array:
    """Return ids in the form that `Tokenizer.decode` takes.

    Raises:
        TypeError: the ids are not integers.
        ValueError: an array is not one-dimensional.
        OverflowError: an integer does not fit uint32.
    """
    if isinstance(ids, str) or not isinstance(ids, Iterable):
        raise TypeError(f"ids must be integers, not {type(ids).__name__}")
    if not isinstance(ids, np.ndarray):
        return np.array(array("I", list(ids)), np.uint32)
    if ids.dtype.kind not in "iu" and ids.size:  # np.array([]) is of float64
        raise TypeError(f"ids must be integers, not {ids.dtype}")
    if ids.ndim != 1:
        raise ValueError(f"ids must be one-dimensional, not {ids.ndim}-dimensional")
    if ids.size and not 0 <= int(ids.min()) <= int(ids.max()) < 1 << 32:
        raise OverflowError("an id is out of the range of uint32")
    return np.ascontiguousarray(ids, np.uint32)


def text_room(buffer: Any, out: Any) -> tuple[Uint8Array, Uint32Array]:
    """Return the bytes of a buffer, borrowed, and the array of ids to be filled from them."""
    data = byte_view("buffer", buffer)
    try:
        ids = plain_ids("out", out)
        if not ids.flags.writeable:
            raise ValueError("out must be writable")
        if np.may_share_memory(ids, data):
            raise ValueError("out must not overlap buffer")
    except BaseException:
        del data  # a traceback would keep it alive, and with it the caller's buffer
        raise
    return data, ids


def policy_bytes(policy: Any, n_special: int) -> bytes:
    """Return a model's policy, which has a byte for each of its special tokens."""
    if not issubclass(type(policy), bytes):
        raise TypeError(f"a model's policy must be bytes, not {type(policy).__name__}")
    data = utf8(policy)
    if len(data) != n_special:
        raise ValueError("a model's policy must have one byte for each of its special tokens")
    return data


def special_policy(tokenizer: Any, allowed: Any, disallowed: Any) -> bytes:
    """Return the policy for the special tokens of a tokenizer's model."""
    usual = type(allowed) is tuple and type(disallowed) is str
    if usual and not allowed and disallowed == "all":
        return cast("bytes", tokenizer._default_policy)
    policy = tokenizer._model.special_policy(allowed, disallowed)
    return policy_bytes(policy, tokenizer._n_special)


def integers(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return ids as an array of which `tolist` makes few objects: equal ids share one."""
    if len(numbers) < 1024 or not _GIL or numbers.min() < 0 or numbers.max() >= 1 << 21:
        return numbers
    return _table(int(numbers.max()).bit_length()).take(numbers)


@cache
def _table(bits: int) -> np.ndarray[Any, Any]:
    return np.arange(1 << bits).astype(object)
