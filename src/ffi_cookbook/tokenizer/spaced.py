"""A tokenizer for the files of SentencePiece's BPE: Llama 2, Mistral, Gemma.

In the model "▁" is a space. So a text needs little work before the kernel, and its ids little after
it: those that are not below `n_vocab` are parts of unknown characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.specials import Flag
from ffi_cookbook.bindings._glue.bpe.tables import EMPTY_PAIR, ID_MASK
from ffi_cookbook.bindings._glue.text import copied, plain_ids, utf8
from ffi_cookbook.bindings.errors import Code, TokenizerError, tokenizer_error
from ffi_cookbook.bindings.protocol import Backend, Int64Array, Text, Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.model import Model, Specials
from ffi_cookbook.tokenizer.normalized import Normalized


def tokenizer_of(backend: Backend, model: Model) -> Tokenizer:
    """Return the tokenizer of a binding, `Normalized` or `Spaced` if the model needs that."""
    if Steps.SPACES in model.flags:
        return Spaced(backend, model)
    return Normalized(backend, model) if model.steps else backend.Tokenizer(model)


class Spaced(Normalized):
    """A `protocol.Tokenizer` in front of that of a binding, for a model with `Steps.SPACES`.

    `decode` does what the decoder of the file does: it may leave out the space that was put before
    the text, and bytes of unknown characters that are not valid UTF-8 become U+FFFD.
    """

    def __init__(self, backend: Backend, model: Model) -> None:
        """Open the model with a binding, such as `ffi_cookbook.load("capi")`."""
        super().__init__(backend, model)
        shown = _shown_as(model)
        sizes = [1] * model.n_vocab + [len(ids) for ids in shown]
        self._sizes = np.array(sizes)
        self._starts = np.cumsum(self._sizes) - self._sizes
        flat = [*range(model.n_vocab), *(number for ids in shown for number in ids)]
        self._flat = np.array(flat, np.uint32)
        self._special = np.zeros(len(sizes), np.bool_)
        self._special[model.sections["special_ids"]] = True
        # A normalized token is shown with the space that the normalizer puts before its name.
        self._tokens, self._dropped = [*model.tokens], dict[int, bytes]()
        late, defined = {raw: name for name, raw in self._late.items()}, model.sections["defined"]
        for raw, number in self._ids.items():
            name = late.get(raw, raw)
            byte = [int(name[3:5], 16)] if defined[number] & Flag.OF_A_BYTE else []
            self._tokens[number] = bytes(byte) or name.replace("▁", " ").encode()
            self._dropped[number] = name.replace("▁", "").encode()
        of_parts = Steps.PREPEND | Steps.ALWAYS | Steps.FIRST | Steps.FUSE
        self._direct = not (self._late or len(self._flagged) or model.flags & of_parts)
        names = ((name.replace("▁", " "), raw) for name, raw in self._late.items())
        self._unseen = [name for name, raw in names if raw not in name]

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        found = self._at_once([text], 1, allowed_special, disallowed_special)
        if found is not None:
            return found[0]
        return super().encode(
            text, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    def encode_batch(
        self,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        """Return the ids of many texts; one with special tokens takes a multiple of its time."""
        texts = copied(texts)
        found = self._at_once(texts, threads, allowed_special, disallowed_special)
        return found or super().encode_batch(
            texts, threads, allowed_special=allowed_special, disallowed_special=disallowed_special
        )

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the text of ids as UTF-8."""
        pieces = self.pieces(ids)
        data = b"".join(pieces)
        try:
            data.decode()
        except UnicodeDecodeError:
            bytes_of = self.model.sections["defined"][ids] & Flag.OF_A_BYTE
            data = b""
            for of_bytes, run in groupby(zip(bytes_of, pieces, strict=True), lambda pair: pair[0]):
                part = b"".join(piece for _, piece in run)
                data += _replaced(part) if of_bytes else part
        return data

    def pieces(self, ids: Uint32Array, begun: bool = False) -> list[bytes]:
        """Return the bytes of each id; if not `begun`, as at the beginning of a text."""
        numbers, tokens = plain_ids("ids", ids).tolist(), self._tokens
        found = []
        for position, number in enumerate(numbers):
            token = tokens[number] if number < len(tokens) else None
            if token is None:
                raise tokenizer_error((Code.UNKNOWN_ID, 0, position, -1, 0, number))
            found.append(token)
        if found and not begun:
            if Steps.STRIP in self.model.flags:
                found[0] = found[0].removeprefix(b" ")
            if Steps.DROP in self.model.flags:
                found[0] = self._dropped.get(numbers[0], found[0].replace(b" ", b""))
        return found

    def changes(self, text: Text, ids: Uint32Array | None = None) -> bool:
        """Return True: a text is not what its ids stand for."""
        return True

    def _normal(self, text: str) -> str:
        text = super()._normal(text)
        if Steps.REPLACE in self.model.flags:
            text = text.replace(" ", "▁")
        return f"▁{text}" if text and Steps.PREPEND in self.model.flags else text

    def _spaced(self, text: str, first: bool) -> str:
        """Return what the kernel gets for a normalized text, the first one or a later one."""
        text = text.replace("▁", " ")
        wanted = self.model.flags & (Steps.ALWAYS | Steps.FIRST if first else Steps.ALWAYS)
        return f" {text}" if text and wanted and text[0] != " " else text

    def _plain(self, text: str, first: bool = True) -> Uint32Array:
        ids = self._tokenizer.encode(self._spaced(text, first), **self._no_tokens)
        return self._shown(ids, np.array([0, len(ids)]))[0]

    def _at_once(
        self, texts: Sequence[Text], threads: int, allowed: Specials, refused: Specials
    ) -> tuple[Uint32Array, Int64Array] | None:
        """Return the ids of texts; None for an error, or special tokens that no kernel can find."""
        if not self._direct:
            allowed, refused = "all", ()
        try:
            whole = [utf8(text).decode() for text in texts]
            if any("▁" in text or super(Spaced, self).changes(text) for text in whole):
                return None  # special tokens may be found in such a text only before, or only after
            given = [self._spaced(self._normal(text), first=True) for text in whole]
            if any(name in text for name in self._unseen for text in given):
                return None
            ids, offsets = self._tokenizer.encode_batch(
                given, threads, allowed_special=allowed, disallowed_special=refused
            )
        except (UnicodeDecodeError, TokenizerError):
            return None
        if not self._direct and self._special[ids].any():
            return None
        return self._shown(ids, offsets)

    def _shown(self, ids: Uint32Array, offsets: Int64Array) -> tuple[Uint32Array, Int64Array]:
        """Return ids, and where texts begin in them, without hidden ids."""
        if ids.max(initial=0) < self.model.n_vocab:
            return ids, offsets
        sizes = self._sizes[ids]
        ends = np.append(0, np.cumsum(sizes))
        places = np.repeat(self._starts[ids] - ends[:-1], sizes) + np.arange(ends[-1])
        ids, offsets = self._flat[places], ends[offsets]
        if Steps.FUSE in self.model.flags:
            again = np.append(False, (ids[1:] == ids[:-1]) & (ids[1:] == self.model.unknown_id))
            again[offsets[:-1][offsets[:-1] < len(ids)]] = False
            ids, offsets = ids[~again], offsets - np.append(0, np.cumsum(again))[offsets]
        return ids, offsets


def _shown_as(model: Model) -> list[tuple[int, ...]]:
    """Return the ids that stand for each hidden id: of each byte, and of the merges of bytes."""
    n, sections, unknown = model.n_vocab, model.sections, model.unknown_id
    shown: dict[int, tuple[int, ...]] = {}
    for byte, number in enumerate(sections["byte_ids"].tolist()):
        inside = byte & 0xC0 == 0x80  # a character
        shown[n + byte] = () if inside or unknown is None else (unknown,)
        shown.setdefault(number, (number,))
    pairs = sections["pairs"][sections["pairs"] != EMPTY_PAIR]
    ranks = pairs & ID_MASK
    made = sections["merged"][ranks.astype(np.int64)] if len(sections["merged"]) else ranks
    order = np.argsort(ranks)
    for at in order[made[order] >= n].tolist():
        left, right = int(pairs[at]) >> 42, int(pairs[at]) >> 21 & int(ID_MASK)
        shown[int(made[at])] = shown[left] + shown[right]
    return [shown[number] for number in sorted(shown) if number >= n]


def _replaced(part: bytes) -> bytes:
    """Return bytes that are valid UTF-8, or U+FFFD for each of others."""
    try:
        part.decode()
    except UnicodeDecodeError:
        return "\ufffd".encode() * len(part)
    return part
