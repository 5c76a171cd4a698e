"""A tokenizer that does what no kernel does, as the files of Qwen, Phi 4 and DeepSeek V2 demand.

A binding refuses such a model, and `Normalized` stands before it. It lets the kernel have a text as
it is, and does the steps of the model for the few texts where they matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, cast

import numpy as np

from ffi_cookbook.bindings._glue.bpe import layout
from ffi_cookbook.bindings._glue.bpe.layout import Form
from ffi_cookbook.bindings._glue.bpe.patterns import DEEPSEEK2_MIXED, DEEPSEEK2_SPLITS, WHOLE
from ffi_cookbook.bindings._glue.bpe.regex import compiled_regex
from ffi_cookbook.bindings._glue.bpe.specials import ALLOWED, Finder, Flag
from ffi_cookbook.bindings._glue.text import copied, text_room, utf8
from ffi_cookbook.bindings.errors import Code, tokenizer_error
from ffi_cookbook.bindings.protocol import Backend, Buffer, Int64Array, Text, Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.model import Model, Specials

# Hugging Face normalizes by Unicode 9, in which these characters of Unicode 10 to 17 are neither
# marks nor parts of others. Any Python that runs this has a later version.
_LATER = re.compile(
    "([\u07fd\u0897-\u089f\u08ca-\u08d3\u09fe\u0c3c\u0d3b\u0d3c\u0eba\u1715\u1abf-\u1aeb"
    "\u1df6-\u1dfa\ua82c\U000105c0-\U000105ff\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab"
    "\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011070\U0001133b"
    "\U00011380-\U000113ff\U0001145e\U00011839\U0001183a\U00011900-\U0001195f\U000119e0\U00011a34"
    "\U00011a47\U00011a99\U00011d42-\U00011d45\U00011d97\U00011f41\U00011f42\U00016100-\U0001613f"
    "\U00016d40-\U00016d7f\U00016ff0\U00016ff1\U0001e08f\U0001e130-\U0001e136\U0001e2ae"
    "\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee\U0001e5ef\U0001e6e3-\U0001e6f5"
    "\u32ff\ua7f1-\ua7f4\uab69\U00010781-\U000107ba\U0001ccd6-\U0001ccf9\U0001e030-\U0001e06d"
    "\U0001f16c\U0001fbf0-\U0001fbf9])"
)


# The `\w` of Hugging Face, but connectors; numbers of the category No are not in it.
_WORD = (
    "[\\p{L}\\p{M}\\p{N}\u200c\u200dⒶ-ⓩ\U0001f130-\U0001f149\U0001f150-\U0001f169"
    "\U0001f170-\U0001f189&&[^\U0001d2c0-\U0001d2d3]]"
)


def normal_form(form: Form, text: str) -> str:
    """Return a text in the form "NFC" or "NFKC", as Hugging Face has it."""
    if unicodedata.is_normalized(form, text):
        return text
    parts = _LATER.split(text)
    parts[::2] = (unicodedata.normalize(form, part) for part in parts[::2])
    return "".join(parts)


def pretokens(text: str) -> list[str]:
    """Return the pretokens of DeepSeek V2: each split cuts the parts that the last one left."""
    parts = [text]
    for split in DEEPSEEK2_SPLITS:
        regex = compiled_regex(f"({split})".replace(r"\s+$", r"(?<!\s)\s+\Z"))
        parts = [piece for part in parts for piece in regex.split(part) if piece]
    return parts


class Normalized:
    """A `protocol.Tokenizer` in front of that of a binding, for a model with steps.

    Special tokens are found in the text as it is, those with the flag `normalized` in what is
    between the others, after that is normalized. `split`, which counts bytes, refuses a text that
    NFC changes.
    """

    def __init__(self, backend: Backend, model: Model) -> None:
        """Open the model with a binding, such as `ffi_cookbook.load("capi")`."""
        self.model = model
        self._backend = backend
        self._tokenizer: Tokenizer = backend.Tokenizer(model.without_steps())
        ids, flags = model.sections["special_ids"], model.special_flags
        self._flagged = ids[flags & Flag.INEXACT != 0]
        self._no_tokens: dict[str, Any] = {"allowed_special": ("",), "disallowed_special": ()}
        self._ids = dict(zip(model.special_names, ids, strict=True))
        self._flags = dict(zip(model.special_names, flags.tolist(), strict=True))
        late = (name for name, flags in self._flags.items() if flags & Flag.NORMALIZED)
        self._late = {self._normal(name): name for name in late}
        self._finders = b"", Finder(()), Finder(())

    def __reduce__(self) -> tuple[object, tuple[type[Normalized], str, Model]]:
        return _reopen, (type(self), cast("ModuleType", self._backend).__name__, self.model)

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        ids = self._tokenizer.encode(
            text, allowed_special=allowed_special, disallowed_special=disallowed_special
        )
        if self._needs_steps(text) or np.isin(ids, self._flagged).any():
            policy = self.model.special_policy(allowed_special, disallowed_special)
            ids = np.concatenate([*self._parts(utf8(text).decode(), policy)])
        return ids

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data, room = text_room(buffer, out)
        text = bytes(data)
        if not (len(self._flagged) or self._needs_steps(text)):
            return self._tokenizer.encode_into(buffer, out)
        ids = self.encode(text, disallowed_special=())
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
        """Return the ids of many texts; one that needs a step takes about twice its time."""
        texts = copied(texts)
        ids, offsets = self._tokenizer.encode_batch(
            texts, threads, allowed_special=allowed_special, disallowed_special=disallowed_special
        )
        flagged = np.searchsorted(offsets, np.isin(ids, self._flagged).nonzero()[0], "right")
        changed = {number for number, text in enumerate(texts) if self._needs_steps(text)}
        changed.update((flagged - 1).tolist())
        if changed:
            rows = np.split(ids, offsets[1:-1])
            for number in changed:
                rows[number] = self.encode(
                    texts[number], allowed_special=allowed_special, disallowed_special=()
                )
            ids, offsets = np.concatenate(rows), np.cumsum([0, *map(len, rows)])
        return ids, offsets

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        if not (len(self._flagged) or self._needs_steps(text)):
            return self._tokenizer.count(text)
        return len(self.encode(text, disallowed_special=()))

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends, in a text that is normalized."""
        if self.changes(text):
            raise ValueError("the text is not in NFC, so pretokens do not end at places in it")
        if self._is_mixed(text):
            return np.cumsum([len(part.encode()) for part in pretokens(utf8(text).decode())])
        return self._tokenizer.split(text)

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        return self._tokenizer.decode(ids)

    def _normal(self, text: str) -> str:
        """Return the text that the normalizer of the file makes of another one."""
        form = self.model.normalizer
        return normal_form(form, text) if form else text

    def changes(self, text: Text, ids: Uint32Array | None = None) -> bool:
        """Return True if a text may not be what its ids stand for; False if it is not UTF-8."""
        if ids is not None and np.isin(ids, self._flagged).any():
            return True
        form = self.model.normalizer
        return form is not None and not unicodedata.is_normalized(form, _decoded(text))

    def _needs_steps(self, text: Text) -> bool:
        """Return True if the ids of the kernel may be wrong, flags of special tokens aside."""
        return self._is_mixed(text) or self.changes(text)

    def _is_mixed(self, text: Text) -> bool:
        """Return True if the splits of DeepSeek V2 are not those of its pattern."""
        if "mixed white space" not in self.model.steps:
            return False
        return compiled_regex(DEEPSEEK2_MIXED).search(_decoded(text)) is not None

    def _plain(self, text: str, first: bool = True) -> Uint32Array:
        """Return the ids of a text without special tokens, which is the first or a later part."""
        if self._is_mixed(text):
            parts = pretokens(text)
            return self._undivided.encode_batch(parts, **self._no_tokens)[0]
        return self._tokenizer.encode(text, **self._no_tokens)

    def _parts(self, text: str, policy: bytes) -> Iterator[Uint32Array]:
        """Yield the ids of each special token, and of what is between them."""
        finders = self._finders
        if policy != finders[0]:
            names = zip(self.model.special_names, policy, strict=True)
            allowed = {name for name, kind in names if kind == ALLOWED}
            late = [name for name, raw in self._late.items() if raw in allowed]
            finders = policy, Finder(allowed - {*self._late.values()}), Finder(late)
            self._finders = finders  # of the last policy
        _, early_finder, late_finder = finders
        first = True
        for part, early_name in self._cut(text, early_finder, {}):
            for between, name in self._cut(self._normal(part), late_finder, self._late):
                yield self._plain(between, first)
                first = False
                if name:
                    yield np.array([self._ids[name]], np.uint32)
            if early_name:
                yield np.array([self._ids[early_name]], np.uint32)

    def _cut(
        self, text: str, finder: Finder, tokens: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        """Yield what is before each name, and its token; "" is the token at the end."""
        start = 0
        for at, found in finder.find_all(text):
            before, end, name = text[start:at], at + len(found), tokens.get(found, found)
            beside, flags = text[max(at - 1, 0) : at] + text[end : end + 1], self._flags[name]
            if flags & Flag.SINGLE_WORD and any(map(_is_word, beside)):
                continue
            if flags & Flag.LSTRIP:
                before = compiled_regex(r"(?<!\s)\s+\Z").sub("", before)
            if flags & Flag.RSTRIP and (space := compiled_regex(r"\s+").match(text, end)):
                end = space.end()
            yield before, name
            start = end
        yield text[start:], ""

    @cached_property
    def _undivided(self) -> Tokenizer:
        """A tokenizer to which a whole text is one pretoken."""
        blob = self.model.without_steps().blob.copy()
        blob[16:20].view("<u4")[0] = WHOLE
        sections = layout.sections_of(blob)
        sections["unicode_blocks"][:] = 0
        sections["automaton"][:2] = 1 << 1  # the second state, which a pretoken ends with the text
        sections["automaton"][1, -1] |= 1
        model = Model(blob, self.model.sha256, self.model.__reduce__())
        return self._backend.Tokenizer(model.without_steps())


def _is_word(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind == "Pc" or (kind != "No" and compiled_regex(_WORD).match(character) is not None)


def _decoded(text: Text) -> str:
    """Return a text, or "" if it is ASCII or not valid UTF-8."""
    if isinstance(text, str) and text.isascii():
        return ""
    try:
        return utf8(text).decode()
    except UnicodeDecodeError:
        return ""


def _reopen(kind: type[Normalized], name: str, model: Model) -> Normalized:
    return kind(import_module(name), model)
