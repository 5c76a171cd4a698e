"""The part of a text that each of its ids stands for."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ffi_cookbook.bindings._glue.text import as_ids
from ffi_cookbook.bindings.protocol import Int64Array, Tokenizer, Uint32Array


def byte_offsets(tokenizer: Tokenizer, ids: Iterable[int] | Uint32Array) -> Int64Array:
    """Return the start of each id's bytes in `tokenizer.decode(ids)`, and the end of the last.

    Args:
        tokenizer: a tokenizer of any binding.
        ids: (n,), integers of an array or of any other iterable.

    Returns:
        (n + 1,) int64: id i stands for the bytes from offsets[i] to offsets[i + 1]. For the ids of
        `encode_batch`, offsets count over all of its texts.

    Raises:
        TokenizerError: an id is not in the vocabulary.
    """
    return spelled(tokenizer, as_ids(ids))[1]


def character_offsets(tokenizer: Tokenizer, ids: Iterable[int] | Uint32Array) -> Int64Array:
    """Return the characters of a text that each of its ids touches, as indices of a `str`.

    An id that holds a part of a character counts as all of it, so neighbours may overlap. Hugging
    Face counts in the same way (untrimmed), and the first column is that of tiktoken's
    `decode_with_offsets`. A pair of surrogates counts as the one character that it encodes.

    Args:
        tokenizer: a tokenizer of any binding.
        ids: (n,), as above: all ids of one text, or of several in a row.

    Returns:
        (n, 2) int64: id i stands for text[start:end].

    Raises:
        TokenizerError: an id is not in the vocabulary.
        UnicodeDecodeError: the bytes of the ids are not valid UTF-8.
    """
    data, offsets = spelled(tokenizer, as_ids(ids))
    starts, ends = offsets[:-1], offsets[1:]
    if not data.isascii():
        data.decode()
        begun = np.zeros(len(data) + 2, np.int32 if len(data) < 1 << 31 else np.int64)
        begins = np.frombuffer(data, np.int8) >= -0x40  # not the rest of a character
        np.cumsum(begins, dtype=begun.dtype, out=begun[1:-1])  # number of these before each byte
        begun[-1] = begun[-2] + 1
        starts, ends = begun[starts + 1].astype(np.int64) - 1, begun[ends].astype(np.int64)
    return np.stack([starts, ends], axis=1)


def spelled(tokenizer: Tokenizer, ids: Uint32Array) -> tuple[bytes, Int64Array]:
    """Return the bytes of ids, and the places where each id's bytes begin and end."""
    if pieces := getattr(tokenizer, "pieces", None):
        parts = pieces(ids)
        return b"".join(parts), np.cumsum([0, *map(len, parts)])
    data = tokenizer.decode(ids)
    bounds = tokenizer.model.sections["token_offsets"]
    offsets = np.zeros(len(ids) + 1, np.int64)
    np.cumsum(bounds[ids.astype(np.int64) + 1] - bounds[ids], out=offsets[1:])
    return data, offsets
