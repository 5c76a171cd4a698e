"""The tokenizer in plain Python: a regular expression, two dicts and a heap.

Shows:  the whole algorithm of docs/tokenizer.md; the merge loop is bindings/_glue/bpe/merge.py.
Build:  nothing to build.
Bites:  `re` counts in characters, the interface in bytes of UTF-8. Making a Tokenizer unpacks the
        model into dicts, which takes a second for the largest; native bindings borrow the model.
        `threads` is checked and then ignored: the GIL is held throughout.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Literal

import numpy as np

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings._glue.bpe.layout import pattern_of
from ffi_cookbook.bindings._glue.bpe.merge import merge
from ffi_cookbook.bindings._glue.bpe.regex import compiled
from ffi_cookbook.bindings._glue.bpe.specials import ALLOWED, REFUSED, Finder
from ffi_cookbook.bindings._glue.bpe.tables import listed_ids, listed_pairs
from ffi_cookbook.bindings._glue.text import asked, plain_ids, sources_of, text_room, utf8
from ffi_cookbook.bindings.errors import Code, tokenizer_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, ModelLike, Text, Uint32Array

Specials = Literal["all"] | Collection[str]
_NO_IDS = np.empty(0, np.uint32)


class Tokenizer:
    """See `protocol.Tokenizer`."""

    def __new__(cls, model: ModelLike) -> Tokenizer:
        """Read the model first and make the tokenizer last, so that no half-made one is visible."""
        names, _, plain, _ = asked(model)
        pattern, tokens, sections = pattern_of(model.blob), model.tokens, model.sections
        self = super().__new__(cls)
        self._model = model
        self._split = compiled(pattern)
        self._whole = {tokens[number]: number for number in listed_ids(sections)}
        self._pairs = listed_pairs(sections)
        self._byte_ids = sections["byte_ids"].tolist()
        self._names, self._ordinary = tuple(names), plain
        special_ids = sections["special_ids"].tolist()
        self._special_ids = dict(zip(self._names, special_ids, strict=True))
        return self

    @property
    def model(self) -> ModelLike:
        """The model."""
        return self._model

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[ModelLike]]:
        return type(self), (self._model,)

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        data = utf8(text)
        policy = self._model.special_policy(allowed_special, disallowed_special)
        return self._encode(data, policy)

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data, room = text_room(buffer, out)
        text = data.tobytes()
        del data  # a traceback would keep it alive, and with it the caller's buffer
        ids = self._encode(text, self._ordinary)
        if len(ids) > len(room):
            raise tokenizer_error((Code.CAPACITY, 0, 0, -1, len(ids), len(room)))
        room[: len(ids)] = ids
        return len(ids)

    def encode_batch(
        self,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        """Return the ids of many texts."""
        check_threads(threads)
        sources = sources_of(texts)
        policy = self._model.special_policy(allowed_special, disallowed_special)
        rows = [self._encode(data, policy, number) for number, data in enumerate(sources)]
        offsets = np.fromiter(accumulate(map(len, rows), initial=0), np.int64)
        return np.concatenate([_NO_IDS, *rows]), offsets

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        return len(self._encode(utf8(text), self._ordinary))

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends."""
        pieces = self._split.finditer(text_of(utf8(text)))
        return np.fromiter(accumulate(len(piece[0].encode()) for piece in pieces), np.int64)

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        tokens = []
        for position, number in enumerate(plain_ids("ids", ids).tolist()):
            token = self._model.tokens[number] if number < self._model.n_vocab else None
            if token is None:
                raise tokenizer_error((Code.UNKNOWN_ID, 0, position, -1, 0, number))
            tokens.append(token)
        return b"".join(tokens)

    def _encode(self, data: bytes, policy: bytes, number: int = 0) -> Uint32Array:
        """Return the ids of text `number` of a batch; if there is no policy, all is plain text."""
        text, names = text_of(data, number), self._names
        for at, name in _finder(names, policy, REFUSED).find_all(text):
            offset = len(text[:at].encode())
            error = (Code.SPECIAL, offset, number, names.index(name), 0, 0)
            raise tokenizer_error(error, names)
        parts = []
        start = 0
        for at, name in _finder(names, policy, ALLOWED).find_all(text):
            parts.append(self._encode_plain(text[start:at]))
            parts.append(np.array([self._special_ids[name]], np.uint32))
            start = at + len(name)
        if not parts:
            return self._encode_plain(text)
        return np.concatenate([*parts, self._encode_plain(text[start:])])

    def _encode_plain(self, text: str) -> Uint32Array:
        return np.fromiter(self._ids_of(text), np.uint32)

    def _ids_of(self, text: str) -> Iterator[int]:
        for piece in self._split.finditer(text):
            data = piece[0].encode()
            if data in self._whole:
                yield self._whole[data]
            else:
                yield from merge([self._byte_ids[byte] for byte in data], self._pairs)


@lru_cache(maxsize=64)
def _finder(names: tuple[str, ...], policy: bytes, wanted: int) -> Finder:
    """Return the Finder of the special tokens with the policy `wanted`."""
    return Finder(name for name, kind in zip(names, policy, strict=False) if kind == wanted)


def text_of(data: bytes, number: int = 0) -> str:
    """Return text `number` of a batch as a str, or raise TokenizerError if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise tokenizer_error((Code.UTF8, error.start, number, -1, 0, 0)) from None
