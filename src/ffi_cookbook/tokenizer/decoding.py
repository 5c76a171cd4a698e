"""The decoding of many rows of ids at once, and of a stream of ids."""

from __future__ import annotations

import codecs
import operator
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.bpe.specials import control_ids
from ffi_cookbook.bindings._glue.text import as_ids
from ffi_cookbook.bindings.protocol import Int64Array, Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.offsets import spelled


def decode_batch(
    tokenizer: Tokenizer,
    ids: Uint32Array | Iterable[Iterable[int]],
    offsets: Int64Array | None = None,
    *,
    skip_special_tokens: bool = False,
) -> list[bytes]:
    """Return the bytes of many rows of ids, decoded in one call.

    Args:
        tokenizer: a tokenizer of any binding.
        ids: all ids, with `offsets` as `encode_batch` returns both: row i is
            ids[offsets[i]:offsets[i + 1]]. Without `offsets`, an iterable of rows: lists of int, or
            arrays.
        offsets: (n + 1,) int64, which do not decrease and lie within `ids`.
        skip_special_tokens: leave out special tokens, but not `Model.ordinary_names`.

    Raises:
        TokenizerError: an id is not in the vocabulary; `index` counts over all rows.
        TypeError: the ids or the offsets are not integers.
        ValueError: the offsets contradict each other.
    """
    if offsets is None:
        rows = [as_ids(row) for row in list(ids)]  # another thread may change a list
        sizes = [row.size for row in rows]
        ids = np.concatenate(rows) if rows else np.empty(0, np.uint32)
        offsets = np.cumsum([0, *sizes], dtype=np.int64)
    else:
        ids, offsets = as_ids(ids), np.asarray(offsets)  # type: ignore[arg-type]
        _check_offsets(offsets, ids.size)
    if skip_special_tokens:
        stays = ~np.isin(ids, control_ids(tokenizer.model.sections))
        ids, offsets = ids[stays], np.append(0, np.cumsum(stays))[offsets]
    if hasattr(tokenizer, "pieces"):
        return [tokenizer.decode(ids[start:end]) for start, end in pairwise(offsets.tolist())]
    data, places = spelled(tokenizer, ids)
    return [data[start:end] for start, end in pairwise(places[offsets].tolist())]


def _check_offsets(offsets: Int64Array, n_ids: int) -> None:
    if offsets.ndim != 1 or not offsets.size:
        raise ValueError(f"offsets must have shape (n + 1,), not {offsets.shape}")
    if offsets.dtype.kind not in "iu":
        raise TypeError(f"offsets must be integers, not {offsets.dtype}")
    if offsets[0] < 0 or offsets[-1] > n_ids or (offsets[1:] < offsets[:-1]).any():
        raise ValueError(f"offsets must not decrease, nor leave 0..{n_ids}, the number of ids")


class Decoder:
    """A decoder of a stream of ids, such as a model's answer.

    A character is returned when the last of its bytes has arrived. All results together are the
    text of all ids decoded at once. A decoder is for one thread.

    Args:
        tokenizer: a tokenizer of any binding.
        errors: the treatment of bytes that are not valid UTF-8, as in `bytes.decode`: "replace",
            "strict" (UnicodeDecodeError), "ignore" ...
        skip_special_tokens: as in `decode_batch`.
    """

    def __init__(
        self, tokenizer: Tokenizer, errors: str = "replace", *, skip_special_tokens: bool = False
    ) -> None:
        codecs.lookup_error(errors)
        self._tokenizer = tokenizer
        self._errors = errors
        self._skipped = control_ids(tokenizer.model.sections) if skip_special_tokens else ()
        self._pieces = getattr(tokenizer, "pieces", None)
        self._known: dict[int, bytes] = {}
        self._rest = b""  # the first bytes of a character
        self._inside = self._pieces is None  # an id has the same bytes wherever it stands

    def push(self, ids: int | np.integer[Any] | Iterable[int] | Uint32Array) -> str:
        """Return the characters that these ids, one or several, complete.

        A single id may also be an array or a tensor without dimensions.
        """
        data = self._known.get(ids) if self._inside and type(ids) is int else None
        if data is None:
            data = self._decode(ids)
        if self._rest:
            data = self._rest + data
        text, used = codecs.utf_8_decode(data, self._errors)
        self._rest = data[used:]
        return text

    def finish(self) -> str:
        """Return what is left, an incomplete character; the next `push` begins a new text."""
        rest, self._rest, self._inside = self._rest, b"", self._pieces is None
        return rest.decode("utf-8", self._errors)

    def _decode(self, ids: Any) -> bytes:
        number = None
        try:
            number = operator.index(ids)
            numbers = as_ids([number])
        except TypeError:
            numbers = as_ids(ids)
        numbers = numbers[~np.isin(numbers, self._skipped)]
        if self._pieces is None:
            data = self._tokenizer.decode(numbers)
        else:
            data = b"".join(self._pieces(numbers, self._inside))
        if self._inside and number is not None:
            self._known[number] = data
        self._inside |= len(numbers) > 0
        return data
