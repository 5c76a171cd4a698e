"""The tokenizer in plain Python: a regular expression, two dicts and a heap.

Shows:  the whole algorithm of docs/tokenizer.md; merging has a page of its own, in
        bindings/tokenizer/merge.py.
Build:  nothing to build.
Bites:  `re` counts in characters, the interface in bytes of UTF-8. Making a Tokenizer unpacks the
        model into dicts, which takes a second for the largest; native doors borrow it as it is.
        `threads` is checked and then ignored: the GIL is held throughout.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, chain
from typing import Literal

import numpy as np

from bindings.checks import byte_view
from bindings.errors import Code, tokenizer_error
from bindings.protocol import Buffer, Int64Array, Uint32Array
from bindings.tokenizer import Model, replace_surrogates
from bindings.tokenizer.blob import pattern_of
from bindings.tokenizer.merge import merge
from bindings.tokenizer.model import ALLOWED, REFUSED
from bindings.tokenizer.regex import compiled
from bindings.tokenizer.tables import listed_ids, listed_pairs

Specials = Literal["all"] | Collection[str]


class Tokenizer:
    """See `bindings.protocol.Tokenizer`."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._split = compiled(pattern_of(model.blob))
        self._whole = {model.tokens[number]: number for number in listed_ids(model.sections)}
        self._pairs = listed_pairs(model.sections)
        self._byte_ids = model.sections["byte_ids"].tolist()
        self._special_ids = model.sections["special_ids"].tolist()

    @property
    def model(self) -> Model:
        return self._model

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[Model]]:
        return type(self), (self._model,)

    def encode(
        self, text: str, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        policy = self._model.special_policy(allowed_special, disallowed_special)
        return np.array(self._encode(_string(text), policy), np.uint32)

    def encode_into(self, buffer: Buffer, out: Uint32Array) -> int:
        _check_ids(out)
        if not out.flags.writeable:
            raise ValueError("out is read-only")
        try:
            ids = self._encode(str(byte_view("buffer", buffer).data, "utf-8"))
        except UnicodeDecodeError as error:
            raise tokenizer_error((Code.UTF8, error.start, 0, -1, 0, 0)) from None
        if len(ids) > len(out):
            raise tokenizer_error((Code.CAPACITY, 0, 0, -1, len(ids), len(out)))
        out[: len(ids)] = ids
        return len(ids)

    def encode_batch(
        self,
        texts: Sequence[str],
        threads: int = 1,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        if not isinstance(texts, (list, tuple)):
            raise TypeError(f"expected a list or tuple of str, not {type(texts).__name__}")
        if operator.index(threads) < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        policy = self._model.special_policy(allowed_special, disallowed_special)
        strings = [_string(text) for text in texts]
        rows = [self._encode(text, policy, number) for number, text in enumerate(strings)]
        offsets = np.fromiter(accumulate(map(len, rows), initial=0), np.int64)
        return np.array(list(chain.from_iterable(rows)), np.uint32), offsets

    def count(self, text: str) -> int:
        return len(self._encode(_string(text)))

    def split(self, text: str) -> Int64Array:
        pieces = self._split.finditer(_string(text))
        return np.fromiter(accumulate(len(piece[0].encode()) for piece in pieces), np.int64)

    def decode(self, ids: Uint32Array) -> bytes:
        _check_ids(ids)
        tokens = []
        for position, number in enumerate(ids.tolist()):
            token = self._model.tokens[number] if number < self._model.n_vocab else None
            if token is None:
                raise tokenizer_error((Code.UNKNOWN_ID, 0, position, -1, 0, number))
            tokens.append(token)
        return b"".join(tokens)

    def _encode(self, text: str, policy: bytes = b"", number: int = 0) -> list[int]:
        """The ids of text `number` of a batch. Without a policy special tokens are plain text."""
        names = self._model.special_names
        if found := _specials(names, policy, REFUSED).search(text):
            offset = len(text[: found.start()].encode())
            error = (Code.SPECIAL, offset, number, names.index(found[0]), 0, 0)
            raise tokenizer_error(error, names)
        ids: list[int] = []
        start = 0
        for found in _specials(names, policy, ALLOWED).finditer(text):
            ids += self._encode_plain(text[start : found.start()])
            ids.append(self._special_ids[names.index(found[0])])
            start = found.end()
        ids += self._encode_plain(text[start:])
        return ids

    def _encode_plain(self, text: str) -> Iterator[int]:
        for piece in self._split.finditer(text):
            data = piece[0].encode()
            if data in self._whole:
                yield self._whole[data]
            else:
                yield from merge([self._byte_ids[byte] for byte in data], self._pairs)


def _specials(names: Sequence[str], policy: bytes, wanted: int) -> re.Pattern[str]:
    """Finds the special tokens of that policy; their names come longest first."""
    chosen = [re.escape(name) for name, kind in zip(names, policy, strict=False) if kind == wanted]
    return re.compile("|".join(chosen) or "(?!)")


def _string(text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"expected a str, not {type(text).__name__}")
    return replace_surrogates(text)


def _check_ids(ids: Uint32Array) -> None:
    if not isinstance(ids, np.ndarray) or ids.dtype != np.uint32:
        raise TypeError("expected a numpy array of uint32")
    if ids.ndim != 1 or not ids.flags.c_contiguous:
        raise ValueError("expected a one-dimensional C-contiguous array")
