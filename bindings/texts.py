"""Text and ids on their way to a kernel, for the doors whose glue is written in Python."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from bindings.checks import byte_view
from bindings.protocol import Int64Array, Uint32Array
from bindings.surrogates import replace_surrogates

AnyArray = TypeVar("AnyArray", Uint32Array, Int64Array)


def utf8(text: Any) -> bytes:
    """The UTF-8 of a str, lone surrogates replaced; bytes as they are."""
    if isinstance(text, bytes):
        return text
    if not isinstance(text, str):
        raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
    try:
        return text.encode()
    except UnicodeEncodeError:
        return replace_surrogates(text).encode()


def sources_of(texts: Any) -> list[bytes]:
    """The UTF-8 of each text of a list or tuple."""
    if not isinstance(texts, (list, tuple)):
        kind = type(texts).__name__
        raise TypeError(f"texts must be a list or tuple of str or bytes, not {kind}")
    return [utf8(text) for text in texts]


def join(texts: Any) -> tuple[bytes, Int64Array]:
    """The texts laid end to end, and the offsets where each begins and ends."""
    sources = sources_of(texts)
    sizes = map(len, sources)
    return b"".join(sources), np.fromiter(accumulate(sizes, initial=0), np.int64)


def shortened(array: AnyArray, n: int) -> AnyArray:
    """The array with only its first n items: in place, so for no one else to have seen."""
    array.resize(n, refcheck=False)
    return array


def check_ids(name: str, ids: Any) -> None:
    """A 1-D C-contiguous uint32 array, or TypeError or ValueError."""
    if not isinstance(ids, np.ndarray) or ids.dtype != np.uint32:
        raise TypeError(f"{name} must be a numpy array of uint32")
    if ids.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional")
    if not ids.flags.c_contiguous or not ids.flags.aligned:
        raise ValueError(f"{name} must be C-contiguous and aligned")


def check_room(out: Any, buffer: Any) -> None:
    """An array of ids to be filled from `buffer`."""
    check_ids("out", out)
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    if np.may_share_memory(out, byte_view("buffer", buffer)):
        raise ValueError("out must not overlap buffer")
