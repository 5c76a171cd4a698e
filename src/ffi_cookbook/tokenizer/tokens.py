"""Tokens as one string of bytes, made from the texts of a file, in which many are found at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.tables import SHORT, Int64, find_short, short_keys, short_table

MAX_IDS = 1 << 21  # three ids, or ranks, fit in 64 bits
PADDING = bytes(SHORT + 1)  # after the tokens, for `short_keys`
BREAK = 256  # a space between two texts; other codes are bytes


class Tokens:
    """Tokens and their ids.

    Token i is `data[starts[i] : starts[i] + sizes[i]]`, and its id is `ids[i]`. The tokens lie end
    to end, and `PADDING` is after the last.
    """

    def __init__(self, data: bytes, sizes: Int64, ids: Int64) -> None:
        self.data, self.sizes, self.ids = data + PADDING, sizes, ids
        self.starts = np.cumsum(sizes) - sizes

    @classmethod
    def of(cls, found: Collection[bytes], ids: Collection[int]) -> Tokens:
        """Return these tokens with these ids."""
        sizes = np.fromiter(map(len, found), np.int64, len(found))
        return cls(b"".join(found), sizes, np.fromiter(ids, np.int64, len(ids)))

    def find(self, data: bytes, starts: Int64, sizes: Int64) -> Int64:
        """Return the id of each token that is at these places of data with `PADDING`, or -1."""
        found = find_short(self.table, short_keys(data, starts, sizes))
        long = sizes > SHORT
        places = zip(starts[long].tolist(), (starts + sizes)[long].tolist(), strict=True)
        found[long] = [self.long.get(data[start:end], -1) for start, end in places]
        return found

    def choose(self, chosen: npt.NDArray[np.bool_]) -> dict[bytes, int]:
        """Return the chosen tokens and their ids."""
        starts, ends = self.starts[chosen], (self.starts + self.sizes)[chosen]
        rows = zip(starts.tolist(), ends.tolist(), self.ids[chosen].tolist(), strict=True)
        return {self.data[start:end]: token_id for start, end, token_id in rows}

    def byte_ids(self) -> Int64:
        """Return the id of each byte, or -1."""
        return self.find(bytes(range(256)) + PADDING, np.arange(256), np.ones(256, np.int64))

    def in_order(self, n_ids: int, others: Mapping[int, bytes]) -> tuple[Int64, npt.NDArray[Any]]:
        """Return where each id's bytes begin and end, and the bytes; those of `others` go first."""
        lengths = np.fromiter(map(len, others.values()), np.int64, len(others))
        starts, sizes = np.zeros((2, n_ids), np.int64)
        starts[self.ids], sizes[self.ids] = self.starts, self.sizes
        starts[[*others]], sizes[[*others]] = np.cumsum(lengths) - lengths + len(self.data), lengths
        offsets = np.append(0, np.cumsum(sizes))
        places = np.repeat(starts - offsets[:-1], sizes) + np.arange(offsets[-1])
        return offsets, np.frombuffer(self.data + b"".join(others.values()), np.uint8)[places]

    @cached_property
    def table(self) -> dict[str, npt.NDArray[Any]]:
        """The short table of a model with these tokens."""
        short = (self.sizes > 0) & (self.sizes <= SHORT)
        keys = short_keys(self.data, self.starts[short], self.sizes[short])
        return short_table(keys, self.ids[short])

    @cached_property
    def long(self) -> dict[bytes, int]:
        """The tokens that are too long for the short table, and their ids."""
        return self.choose(self.sizes > SHORT)


def is_id(number: object) -> bool:
    """Return True for an integer in the range of ids."""
    return type(number) is int and 0 <= number < MAX_IDS


def check_ids(tokens: Mapping[bytes, int] | Mapping[str, int]) -> None:
    """Raise ValueError unless the tokens have ids of their own, in the range of ids."""
    ids = tokens.values()
    distinct = {*map(type, ids)} == {int} and len({*ids}) == len(ids)
    if distinct and is_id(min(ids)) and is_id(max(ids)):
        return
    names: dict[int, bytes | str] = {}
    for token, token_id in tokens.items():
        if not is_id(token_id):
            raise ValueError(f"the id {token_id!r} of {token!r} is not in 0..{MAX_IDS - 1}")
        if names.setdefault(token_id, token) != token:
            raise ValueError(f"{names[token_id]!r} and {token!r} have the same id {token_id}")


@cache
def byte_alphabet() -> dict[str, int]:
    """Return the byte of each character of the alphabet in which tokens are written as text.

    A visible byte is the character with its code, any other the next unused one from U+0100 on.
    """
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {chr(byte): byte for byte in seen} | {chr(256 + i): b for i, b in enumerate(hidden)}


def tokens_of(vocab: Mapping[str, int], spelled: bool) -> Tokens:
    """Return the tokens of texts: in the byte alphabet if `spelled`, or else without spaces.

    Raises:
        ValueError: a text is not in the byte alphabet, or an id is not one of its own.
    """
    if not vocab:
        raise ValueError("the vocabulary has no tokens")
    check_ids(vocab)
    words = words_of(vocab, spelled)
    if words is None or len(words[1]) > len(vocab):
        text = next(text for text in vocab if not byte_alphabet().keys() >= set(text))
        raise ValueError(f"the token {text!r} is not spelled in the byte alphabet")
    data, sizes = words
    return Tokens(data, sizes[: len(vocab)], np.fromiter(vocab.values(), np.int64, len(vocab)))


def words_of(texts: Iterable[Any], spelled: bool) -> tuple[bytes, Int64] | None:
    """Return the bytes of texts, end to end, and their sizes, or None if this cannot be done.

    A space in a text counts as the end of one and the beginning of another.
    """
    encoding, unit = ("utf-16-le", "<u2") if spelled else ("utf-8", "u1")
    try:
        units = " ".join(texts).encode(encoding, "surrogatepass")
    except TypeError:
        return None
    codes = _codes(spelled)[np.frombuffer(units, unit)]
    if codes.min(initial=0) < 0:
        return None
    inside = codes != BREAK
    sizes = np.diff(np.flatnonzero(~inside), prepend=-1, append=len(codes)) - 1
    return codes.compress(inside).astype(np.uint8).tobytes(), sizes


@cache
def _codes(spelled: bool) -> npt.NDArray[np.int16]:
    """Return the code of each unit of UTF-16 in the byte alphabet, or of UTF-8, or -1."""
    alphabet = byte_alphabet() if spelled else {chr(byte): byte for byte in range(256)}
    codes = np.full(1 << 16, -1, np.int16)
    codes[[*map(ord, alphabet)]] = [*alphabet.values()]
    codes[ord(" ")] = BREAK
    return codes
